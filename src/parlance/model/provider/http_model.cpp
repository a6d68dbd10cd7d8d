// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/provider/http_model.h"

#include <cstring>
#include <utility>

#include "parlance/async/scope.h"
#include "parlance/base/log.h"
#include "parlance/base/secret.h"
#include "parlance/model/earlier_messages.h"
#include "parlance/model/limits.h"
#include "parlance/transport/http/retry.h"

namespace parlance::model {
namespace {

double random_fraction() {
  const Bytes bytes = random_bytes(4);
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return static_cast<double>(value) / 4294967296.0;
}

std::string seconds_text(Duration wait) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(wait).count();
  return ms < 10'000 ? std::to_string(ms) + " ms" : std::to_string(ms / 1000) + " s";
}

// Reports a silence of limits::model_silence to the sink, and the end of the silence. A sink that has ended returns this to the
// reader of the answer.
class SilenceWatch {
 public:
  SilenceWatch(Loop& loop, ChunkSink& chunks) : loop_(loop), chunks_(chunks), last_data_(loop.now()) {}
  void on_data() {
    last_data_ = loop_.now();
    if (std::exchange(silent_, false)) static_cast<void>(chunks_.on_chunk(Silence{}));
  }
  Task<void> run() {
    for (;;) {
      co_await sleep_until(loop_, last_data_ + limits::model_silence);
      const Duration length = loop_.now() - last_data_;
      if (length < limits::model_silence) continue;
      silent_ = true;
      static_cast<void>(chunks_.on_chunk(Silence{length}));
      while (silent_) co_await sleep_for(loop_, limits::model_silence);
    }
  }

 private:
  Loop& loop_;
  ChunkSink& chunks_;
  TimePoint last_data_;
  bool silent_ = false;
};

}  // namespace

struct HttpModel::Attempt {
  Result<Completion> result;
  bool retry = false;
  bool adapted = false;             // retried at once, without counting as an attempt
  std::optional<Duration> asked{};  // the pause that the server asks for
};

HttpModel::HttpModel(Loop& loop, std::unique_ptr<Http> http, ModelSettings settings, Endpoint endpoint)
    : loop_(loop),
      http_(std::move(http)),
      settings_(std::move(settings)),
      endpoint_(std::move(endpoint)),
      random_(random_fraction) {}

Task<Result<void>> HttpModel::prepare(ChatRequest&) { co_return Result<void>{}; }

HttpRequest HttpModel::request_to(std::string url, std::string method) const {
  // Follows no redirects with a conversation: a POST would silently become a GET, and a wrong address should be an error.
  std::vector<HttpHeader> headers{{"Content-Type", "application/json"}, {"Accept", "text/event-stream, application/json"}};
  for (HttpHeader& http_header : identity_of(endpoint_)) headers.push_back(std::move(http_header));
  return HttpRequest{.method = std::move(method),
                     .url = std::move(url),
                     .headers = std::move(headers),
                     .connect_timeout = settings_.limits.connect,
                     .idle_timeout = settings_.limits.idle,
                     .follow_redirects = false};
}

Task<Result<Completion>> HttpModel::chat(ChatRequest request, ChunkSink& chunks) {
  const TimePoint deadline = loop_.now() + settings_.limits.total;
  auto result = co_await with_deadline(loop_, deadline, chat_with_retries(std::move(request), chunks, deadline));
  if (!result && result.error().code == Errc::deadline_exceeded && loop_.now() >= deadline)
    co_return fail(Errc::deadline_exceeded,
                   endpoint_.shown + ": no complete answer within " + seconds_text(settings_.limits.total));
  if (result) completed(*result);
  co_return result;
}

Task<Result<Completion>> HttpModel::chat_with_retries(ChatRequest request, ChunkSink& chunks, TimePoint deadline) {
  if (request.model.empty()) request.model = settings_.name;
  take_in_earlier(request);
  PARLANCE_CO_TRY_DO(co_await prepare(request));
  int adaptations = 0;
  for (int attempts = 1;; ++attempts) {
    Attempt outcome = co_await attempt(request, chunks);
    if (outcome.result) co_return std::move(outcome.result);
    if (outcome.adapted && ++adaptations <= 4) {
      --attempts;
      continue;
    }
    Error error = std::move(outcome.result).error();
    if (!outcome.retry) co_return fail(std::move(error));
    if (attempts >= settings_.limits.attempts) {
      if (attempts > 1) error.message += " (tried " + std::to_string(attempts) + " times)";
      co_return fail(std::move(error));
    }
    Duration wait = back_off(attempts, settings_.limits.retry_first, settings_.limits.retry_most, random_());
    if (outcome.asked) {
      if (*outcome.asked > settings_.limits.retry_after_most || loop_.now() + *outcome.asked >= deadline) {
        error.message += " (it asks to wait " + seconds_text(*outcome.asked) + ")";
        co_return fail(std::move(error));
      }
      wait = std::max(wait, *outcome.asked);
    }
    log(LogLevel::info, "model request is repeated", {{"reason", error.message}, {"wait", seconds_text(wait)}});
    PARLANCE_CO_TRY_DO(chunks.on_chunk(Retrying{
        .attempt = attempts + 1, .wait = wait, .reason = std::move(error.message), .attempts = settings_.limits.attempts}));
    co_await sleep_for(loop_, wait);
  }
}

Task<HttpModel::Attempt> HttpModel::attempt(ChatRequest& request, ChunkSink& chunks) {
  HttpRequest post = request_to(endpoint_.url, "POST");
  post.body = body(request);
  const std::unique_ptr<StreamDecoder> decoding = decoder(chunks);
  BodyReader reader(*decoding, settings_.limits.answer_bytes);
  SilenceWatch silence(loop_, chunks);
  Scope watching(loop_);
  watching.start(silence.run());
  auto response = co_await http_->stream(std::move(post), [&](BytesView bytes) {
    silence.on_data();
    return reader.feed(bytes);
  });
  // A server that breaks the connection after its complete answer has still answered.
  if (!response && !(decoding->complete() && !decoding->answer().sink_failed()))
    co_return judge_failure(std::move(response).error(), *decoding);
  if (response && (response->status < 200 || response->status > 299)) co_return judge_response(request, *response);
  auto completion = reader.finish();
  if (!completion) co_return judge_failure(std::move(completion).error(), *decoding);
  refused_.accept(request);
  co_return Attempt{.result = std::move(completion)};
}

HttpModel::Attempt HttpModel::judge_response(ChatRequest& request, const HttpResponse& response) {
  Attempt outcome{.result = fail(status_error(endpoint_, request.model, response))};
  const Errc code = outcome.result.error().code;
  if (code == Errc::invalid_request) {
    const std::string sentence = error_sentence(response.body);
    outcome.adapted = adapt(request, sentence) || refused_.take_out(request, sentence);
  }
  outcome.retry = may_retry(response.status) && code != Errc::denied;  // some servers report missing credit with 429
  if (const std::string* wish = find_header(response.headers, "x-should-retry")) {
    if (*wish == "false") outcome.retry = false;
    if (*wish == "true") outcome.retry = true;
  }
  outcome.asked = retry_after(response.headers, WallClock::now());
  return outcome;
}

HttpModel::Attempt HttpModel::judge_failure(Error error, const StreamDecoder& decoder) const {
  if (decoder.answer().sink_failed()) return Attempt{.result = fail(std::move(error))};
  error.message = printable(error.message, endpoint_.key);
  Attempt outcome{.result = Result<Completion>{}};
  const bool temporary = error.code == Errc::disconnected || error.code == Errc::overloaded;
  outcome.retry = temporary && !decoder.answer().reached_sink();
  if (decoder.answer().reached_sink())
    error.message += " (after " + std::to_string(decoder.answer().bytes()) + " bytes of the answer)";
  // The client's own errors name the address already.
  if (error.message.find(endpoint_.shown) == std::string::npos) error = std::move(error).in(endpoint_.shown);
  outcome.result = fail(std::move(error));
  return outcome;
}

}  // namespace parlance::model

// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/embed/embedder_via_http.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "parlance/async/scope.h"
#include "parlance/base/log.h"
#include "parlance/base/secret.h"
#include "parlance/base/text.h"
#include "parlance/base/uri.h"
#include "parlance/base/utf8.h"
#include "parlance/codec/json/typed.h"
#include "parlance/memory/calibrate.h"
#include "parlance/model/provider/endpoint.h"
#include "parlance/protocol/openai/embeddings.h"
#include "parlance/server/embed/backend_refusal.h"
#include "parlance/server/embed/limits.h"
#include "parlance/server/embed/vector_json.h"
#include "parlance/transport/http/retry.h"

namespace parlance::server {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view openai_host = "api.openai.com";
// Sent once to learn the style of the service; the text has no meaning.
constexpr const char* first_text = "What does the service say to this?";
constexpr auto info_timeout = 5s;
// For general pairs of related sentences; good embedding models reach 0.9.
constexpr double poor_recall = 0.5;

double random_fraction() {
  const Bytes bytes = random_bytes(4);
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return static_cast<double>(value) / 4294967296.0;
}

}  // namespace

struct EmbedderViaHttp::Answer {
  Result<EmbedAnswer> result;
  int status = 0;          // 0: no answer
  std::string id{};        // in our own service's form
  bool too_large = false;  // … the request, or a text of the request
  bool retry = false;
  std::optional<Duration> asked{};  // the pause that the server asks for
};

struct EmbedderViaHttp::Fetch {
  std::vector<std::string> texts{};
  std::vector<memory::Vector> vectors{};
  std::size_t next = 0;
  bool changed = false;  // the service has changed
  std::optional<Error> error{};
};

class EmbedderViaHttp::Learning {
 public:
  explicit Learning(EmbedderViaHttp& embedder) : embedder_(embedder) { embedder_.learning_ = true; }
  ~Learning() {
    embedder_.learning_ = false;
    embedder_.learned_.notify_all();
  }
  Learning(const Learning&) = delete;
  Learning& operator=(const Learning&) = delete;

 private:
  EmbedderViaHttp& embedder_;
};

Result<model::ApiKey> find_embed_key(const std::string& url,
                                     const std::function<std::optional<std::string>(std::string_view)>& variable,
                                     const std::string& file) {
  if (!file.empty()) return model::find_api_key(model::Kind::openai, variable, file);
  const auto parts = model::split_url(trim(url));
  const bool is_openai = parts && parts->secure && equal_ignoring_case(parts->host, openai_host);
  for (const std::string_view name : {"PARLANCE_EMBED_API_KEY", "OPENAI_API_KEY"}) {
    if (name == "OPENAI_API_KEY" && !is_openai) continue;
    if (const auto value = variable(name); value && !trim(*value).empty())
      return model::ApiKey{.text = std::string(trim(*value)), .origin = std::string(name)};
  }
  return model::ApiKey{};
}

EmbedderViaHttp::EmbedderViaHttp(Loop& loop, EmbedBackendSettings settings, EmbedEndpoint endpoint,
                                 std::unique_ptr<model::Http> http)
    : loop_(loop),
      settings_(std::move(settings)),
      endpoint_(std::move(endpoint)),
      http_(std::move(http)),
      cache_(settings_.limits.cache_bytes),
      random_(random_fraction),
      learned_(loop) {}

EmbedderViaHttp::~EmbedderViaHttp() = default;

Result<std::unique_ptr<EmbedderViaHttp>> EmbedderViaHttp::make(Loop& loop, EmbedBackendSettings settings,
                                                               std::unique_ptr<model::Http> http) {
  PARLANCE_TRY(endpoint, parse_embed_url(settings.url));
  if (std::ranges::any_of(settings.key.text, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7f; }))
    return fail(Errc::invalid_params, "the key from " + settings.key.origin + " has blanks or control characters");
  if (!endpoint.secure && !settings.key.text.empty() && !is_loopback(endpoint.host))
    log(LogLevel::warn, "the embedding service's key travels unencrypted", {{"host", endpoint.host}});
  if (!http) http = model::lazy_http(loop);
  return std::unique_ptr<EmbedderViaHttp>(new EmbedderViaHttp(loop, std::move(settings), std::move(endpoint), std::move(http)));
}

// ---- the identity of the service -----------------------------------------------------------------------------------------

Task<Result<memory::EmbedderInfo>> EmbedderViaHttp::info() {
  PARLANCE_CO_TRY_DO(co_await with_deadline(loop_, loop_.now() + settings_.limits.total, learn()));
  co_return info_;
}

Task<Result<void>> EmbedderViaHttp::learn() {
  while (learning_) co_await learned_.wait();
  if (known_) co_return Result<void>{};
  const Learning learning(*this);
  PARLANCE_CO_TRY(answer, co_await find_target());
  reported_model_ = answer.result->model;
  info_ = {.dimension = answer.result->vectors.front().size()};
  const std::string& name = !reported_model_.empty()   ? reported_model_
                            : !settings_.model.empty() ? settings_.model
                                                       : endpoint_.host;
  info_.id = !answer.id.empty() ? answer.id : "http:" + name + "/" + std::to_string(info_.dimension);
  PARLANCE_CO_TRY(curve, co_await calibration(!answer.id.empty()));
  info_.calibration = std::move(curve);
  known_ = true;
  log(LogLevel::info, "embedding service", {{"url", endpoint_.shown}, {"id", info_.id}});
  co_return Result<void>{};
}

// Tries each style of the address until the service understands a request.
Task<Result<EmbedderViaHttp::Answer>> EmbedderViaHttp::find_target() {
  const std::vector<std::string> texts{first_text};
  std::optional<Error> error;
  bool said_more = false;
  const std::vector<EmbedTarget> targets = target_ ? std::vector{*target_} : endpoint_.targets;
  for (const EmbedTarget& target : targets) {
    Answer answer = co_await ask(target, texts);
    if (answer.result) {
      target_ = target;
      co_return answer;
    }
    if (!is_another_style(answer.status)) co_return fail(std::move(answer.result).error());
    // "No such address" is less informative than another style's refusal.
    const bool says_more = answer.status != 404 && answer.status != 405;
    if (!error || (says_more && !said_more)) {
      error = std::move(answer.result).error();
      said_more = says_more;
    }
  }
  co_return fail(*std::move(error));
}

Task<Result<memory::Calibration>> EmbedderViaHttp::calibration(bool is_ours) {
  if (is_ours)
    if (auto reported = co_await reported_calibration()) co_return reported;
  Fetch sentences{.texts = memory::calibration_texts()};
  PARLANCE_CO_TRY_DO(co_await fetch(sentences));
  if (sentences.changed) co_return fail(Errc::failed, endpoint_.shown + " answers with different models at different times");
  PARLANCE_CO_TRY(found, memory::calibration_of(sentences.vectors));
  if (found.recall < poor_recall)
    log(LogLevel::warn, "the embedding service hardly separates related texts from others", {{"url", endpoint_.shown}});
  co_return std::move(found.calibration);
}

Task<Result<memory::Calibration>> EmbedderViaHttp::reported_calibration() {
  HttpRequest request = request_to(endpoint_.info_url);
  request.method = "GET";
  request.total_timeout = info_timeout;
  std::string body;
  PARLANCE_CO_TRY(response, co_await http_->stream(std::move(request), [&](BytesView bytes) -> Result<void> {
    body.append(bytes);
    if (body.size() > settings_.limits.answer_bytes) return fail(Errc::failed, "/info is too long");
    return {};
  }));
  if (response.status != 200) co_return fail(Errc::failed, "no /info");
  PARLANCE_CO_TRY(info, json::from_text<embed::InfoBody>(body));
  memory::Calibration curve;
  for (const embed::Knot& knot : info.calibration) curve.knots.push_back({.cosine = knot.cosine, .score = knot.score});
  co_return curve;
}

bool EmbedderViaHttp::is_known(const Answer& answer) const {
  if (!answer.id.empty()) return answer.id == info_.id;
  const EmbedAnswer& result = *answer.result;
  // Not every address of a service names the model.
  return result.vectors.front().size() == info_.dimension &&
         (result.model.empty() || reported_model_.empty() || result.model == reported_model_);
}

// ---- embedding -----------------------------------------------------------------------------------------------------------

Task<Result<std::vector<memory::Vector>>> EmbedderViaHttp::embed(std::vector<std::string> texts) {
  if (texts.empty()) co_return std::vector<memory::Vector>{};
  auto vectors = co_await with_deadline(loop_, loop_.now() + settings_.limits.total, embed_all(std::move(texts)));
  if (!vectors && vectors.error().message.find(endpoint_.shown) == std::string::npos)
    co_return fail(std::move(vectors).error().in(endpoint_.shown));
  co_return vectors;
}

Task<Result<std::vector<memory::Vector>>> EmbedderViaHttp::embed_all(std::vector<std::string> texts) {
  // Twice: the service may have changed since the last request, but not repeatedly.
  for (int round = 0; round < 2; ++round) {
    PARLANCE_CO_TRY_DO(co_await learn());
    std::vector<memory::Vector> vectors(texts.size());
    std::vector<std::size_t> places;
    Fetch missing;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (const memory::Vector* known = cache_.find(texts[i])) {
        vectors[i] = *known;
        continue;
      }
      places.push_back(i);
      missing.texts.push_back(texts[i]);
    }
    const std::string id = info_.id;
    const Result<void> fetched = co_await fetch(missing);
    if (fetched && !missing.changed && known_ && info_.id == id) {
      for (std::size_t i = 0; i < places.size(); ++i) {
        cache_.put(missing.texts[i], missing.vectors[i]);
        vectors[places[i]] = std::move(missing.vectors[i]);
      }
      co_return vectors;
    }
    if (!missing.changed && !fetched) co_return fail(fetched.error());
    log(LogLevel::warn, "the embedding service has another model than before", {{"url", endpoint_.shown}, {"was", id}});
    if (info_.id != id) continue;  // another call has noticed already
    cache_.clear();
    known_ = false;
  }
  co_return fail(Errc::failed, endpoint_.shown + " answers with different models at different times");
}

Task<Result<void>> EmbedderViaHttp::fetch(Fetch& all) {
  all.vectors.resize(all.texts.size());
  Scope running(loop_);
  for (std::size_t i = 0; i < settings_.limits.requests && all.next < all.texts.size(); ++i) running.start(fetch_some(all));
  co_await running.join();
  if (all.error) co_return fail(*all.error);
  co_return Result<void>{};
}

// Takes the next texts for a request, until no text remains or a request fails.
Task<void> EmbedderViaHttp::fetch_some(Fetch& all) {
  while (all.next < all.texts.size() && !all.error && !all.changed) {
    const bool single = target_->style == EmbedStyle::llama || one_by_one_;
    const std::size_t first = all.next;
    std::size_t bytes = 0;
    do bytes += all.texts[all.next++].size();
    while (!single && all.next < all.texts.size() && all.next - first < settings_.limits.request_texts &&
           bytes + all.texts[all.next].size() <= settings_.limits.request_bytes);
    if (auto done = co_await fetch_range(all, first, all.next - first); !done && !all.error) all.error = std::move(done).error();
  }
}

Task<Result<void>> EmbedderViaHttp::fetch_range(Fetch& all, std::size_t first, std::size_t count) {
  const EmbedTarget target = *target_;
  Answer answer = co_await ask(target, std::span(all.texts).subspan(first, count));
  if (!answer.result && count > 1) {
    if (target.style == EmbedStyle::embed && (answer.status == 404 || answer.status == 405)) {
      one_by_one_ = true;  // the service lacks /embed-batch
      for (std::size_t i = 0; i < count; ++i) PARLANCE_CO_TRY_DO(co_await fetch_range(all, first + i, 1));
      co_return Result<void>{};
    }
    // Too many texts at once, or a faulty text: smaller requests find out.
    if (answer.too_large || answer.status == 400 || answer.status == 422) co_return co_await fetch_halves(all, first, count);
  }
  if (!answer.result && answer.too_large) {
    PARLANCE_CO_TRY(cut, co_await fetch_cut(all.texts[first]));
    answer = std::move(cut);
  }
  if (!answer.result) co_return fail(std::move(answer.result).error());
  if (!is_known(answer)) {
    all.changed = true;
    co_return Result<void>{};
  }
  for (std::size_t i = 0; i < count; ++i) all.vectors[first + i] = std::move(answer.result->vectors[i]);
  co_return Result<void>{};
}

Task<Result<void>> EmbedderViaHttp::fetch_halves(Fetch& all, std::size_t first, std::size_t count) {
  PARLANCE_CO_TRY_DO(co_await fetch_range(all, first, count / 2));
  co_return co_await fetch_range(all, first + count / 2, count - count / 2);
}

// A model has a limit for its input. The beginning of a text usually names its subject.
Task<Result<EmbedderViaHttp::Answer>> EmbedderViaHttp::fetch_cut(std::string text) {
  for (;;) {
    text.resize(utf8_prefix(text, text.size() / 2).size());
    const std::vector<std::string> texts{text};
    Answer answer = co_await ask(*target_, texts);
    if (answer.result) co_return answer;
    if (!answer.too_large || text.size() / 2 < limits::embed_shortest_cut_bytes) co_return fail(std::move(answer.result).error());
  }
}

// ---- a request -----------------------------------------------------------------------------------------------------------

Task<EmbedderViaHttp::Answer> EmbedderViaHttp::ask(const EmbedTarget& target, std::span<const std::string> texts) {
  for (int attempts = 1;; ++attempts) {
    Answer answer = co_await ask_once(target, texts);
    if (answer.result || !answer.retry) co_return answer;
    Error& error = answer.result.error();
    if (attempts >= settings_.limits.attempts) {
      if (attempts > 1) error.message += " (tried " + std::to_string(attempts) + " times)";
      co_return answer;
    }
    Duration wait = back_off(attempts, settings_.limits.retry_first, settings_.limits.retry_most, random_());
    if (answer.asked) {
      if (*answer.asked > settings_.limits.retry_after_most) {
        const auto asked = std::chrono::duration_cast<std::chrono::seconds>(*answer.asked).count();
        error.message += " (requested pause: " + std::to_string(asked) + " s)";
        co_return answer;
      }
      wait = std::max(wait, *answer.asked);
    }
    log(LogLevel::info, "embedding request is repeated", {{"reason", error.message}});
    co_await sleep_for(loop_, wait);
  }
}

Task<EmbedderViaHttp::Answer> EmbedderViaHttp::ask_once(const EmbedTarget& target, std::span<const std::string> texts) {
  const bool many = texts.size() > 1;
  HttpRequest request = request_to(many && !target.batch_url.empty() ? target.batch_url : target.url);
  request.body = embed_body(target, settings_.model, texts, many);
  std::string body;
  ++requests_;
  auto response = co_await http_->stream(std::move(request), [&](BytesView bytes) -> Result<void> {
    if (body.size() + bytes.size() > settings_.limits.answer_bytes) return fail(Errc::failed, "its answer is too long");
    body.append(bytes);
    return {};
  });
  if (!response) {
    Error error = std::move(response).error();
    error.message = model::printable(error.message, settings_.key);
    const bool temporary = error.code == Errc::disconnected || error.code == Errc::overloaded;
    if (error.message.find(endpoint_.shown) == std::string::npos) error = std::move(error).in(endpoint_.shown);
    co_return Answer{.result = fail(std::move(error)), .retry = temporary};
  }
  Answer answer{.result = EmbedAnswer{}, .status = response->status};
  if (response->status < 200 || response->status > 299) {
    answer.result = fail(refusal_error(*response, endpoint_.shown, settings_.key));
    answer.too_large = response->status == 413 || says_text_too_long(response->body);
    answer.retry = may_retry(response->status) && response->status != 501 && !answer.too_large;
    if (const std::string* wish = find_header(response->headers, "x-should-retry"); wish != nullptr && *wish == "false")
      answer.retry = false;
    answer.asked = retry_after(response->headers, WallClock::now());
    co_return answer;
  }
  if (const std::string* id = find_header(response->headers, embed::id_header)) answer.id = model::printable(*id, settings_.key);
  answer.result = read_embed_answer(body, texts.size());
  if (answer.result)
    for (memory::Vector& vector : answer.result->vectors)
      if (!normalize(vector)) answer.result = fail(Errc::failed, "the service answers with infinite numbers");
  if (!answer.result) answer.result = fail(answer.result.error().in(endpoint_.shown));
  co_return answer;
}

HttpRequest EmbedderViaHttp::request_to(std::string url) const {
  HttpRequest request{
      .method = "POST",
      .url = std::move(url),
      .headers = {{.name = "Content-Type", .value = "application/json"}, {.name = "Accept", .value = "application/json"}},
      .connect_timeout = settings_.limits.connect,
      .follow_redirects = false};
  if (!settings_.key.text.empty()) request.headers.push_back({.name = "Authorization", .value = "Bearer " + settings_.key.text});
  return request;
}

}  // namespace parlance::server

// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/connection/probe.h"

#include <algorithm>

#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"
#include "parlance/model/provider/make_model.h"

namespace parlance::model {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t longest_list = 4 << 20;  // bytes; OpenRouter's 400 models have 600 KiB
constexpr auto test_time = 60s;                // a local server may load its model first
constexpr std::int64_t test_tokens = 16;       // the least that OpenAI's reasoning models accept

Result<std::vector<std::string>> ids_in(const Endpoint& endpoint, const HttpResponse& response) {
  if (response.status != 200) return fail(status_error(endpoint, "", response));
  if (trim(response.body).starts_with('<')) return fail(Errc::not_found, endpoint.shown + ": " + std::string(web_page_sentence));
  const auto document = json::parse(response.body);
  const json::Value* const data = document ? document->find("data") : nullptr;
  if (data == nullptr || data->array() == nullptr)
    return fail(Errc::failed, endpoint.shown + " returns no list of models: check the address, or name a model yourself");
  std::vector<std::string> ids;
  for (const json::Value& model : *data->array())
    if (const std::string id = printable(model.text_or("id", ""), endpoint.key); !id.empty()) ids.push_back(id);
  std::ranges::sort(ids);
  return ids;
}

}  // namespace

HttpRequest models_request(const Endpoint& endpoint, ProbeLimits limits) {
  const std::string_view method = endpoint.kind == Kind::anthropic ? "/messages" : "/chat/completions";
  std::string url = endpoint.url;
  url.replace(url.rfind(method), method.size(), "/models");
  return {.url = std::move(url),
          .headers = identity_of(endpoint),
          .connect_timeout = limits.connect,
          .total_timeout = limits.total,
          .body_limit = longest_list,
          .follow_redirects = false};
}

Task<Result<std::vector<std::string>>> list_models(Http& http, Endpoint endpoint, ProbeLimits limits) {
  std::string body;
  auto response = co_await http.stream(models_request(endpoint, limits), [&](BytesView bytes) -> Result<void> {
    if (body.size() + bytes.size() > longest_list) return fail(Errc::failed, "the list of models is too long");
    body += bytes;
    return {};
  });
  if (!response) {
    Error error = std::move(response).error();
    error.message = printable(error.message, endpoint.key) + ": start the server, or check the address and the network";
    co_return fail(std::move(error));
  }
  if (!body.empty()) response->body = std::move(body);
  co_return ids_in(endpoint, *response);
}

Task<Result<std::vector<std::string>>> models_of(Loop& loop, Connection connection) {
  PARLANCE_CO_TRY(with_key, load_key(std::move(connection)));
  PARLANCE_CO_TRY(endpoint, make_endpoint(settings_of(with_key)));
  const auto http = lazy_http(loop);
  co_return co_await list_models(*http, std::move(endpoint));
}

Task<Result<TestedModel>> test_connection(Loop& loop, Connection connection) {
  PARLANCE_CO_TRY_DO(check_connection(connection));
  PARLANCE_CO_TRY(with_key, load_key(connection));
  ModelSettings settings = settings_of(with_key);
  settings.limits.attempts = 1;
  settings.limits.total = test_time;
  PARLANCE_CO_TRY(model, make_model(loop, std::move(settings)));
  ChatRequest request{.messages = {{.role = Role::user, .content = "Reply with OK."}}, .max_tokens = test_tokens};
  NoChunks chunks;
  const TimePoint begin = loop.now();
  PARLANCE_CO_TRY(completion, co_await model->chat(std::move(request), chunks));
  const auto latency = std::chrono::duration_cast<std::chrono::milliseconds>(loop.now() - begin);
  // A reasoning model may spend all tokens on its thoughts: that is an answer, too.
  if (completion.stop == StopReason::error)
    co_return fail(Errc::failed, connection.url + " ends its answer early: " + completion.problem);
  co_return TestedModel{.latency = latency, .model = completion.model.empty() ? connection.model : completion.model};
}

}  // namespace parlance::model

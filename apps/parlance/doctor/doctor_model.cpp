// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/doctor/doctor_model.h"

#include <cstdlib>

#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"
#include "parlance/model/provider/endpoint.h"
#include "parlance/model/settings.h"
#include "parlance/transport/http/http_client.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;

constexpr auto connect_patience = 3s;
constexpr auto answer_patience = 10s;
constexpr std::size_t longest_list = 4 << 20;  // of models; vendors list a hundred

std::string key_variables(model::Kind kind) {
  std::string names;
  for (const std::string_view name : model::api_key_variables(kind)) names += (names.empty() ? "" : " or ") + std::string(name);
  return names;
}

std::vector<HttpHeader> headers_for(const model::Endpoint& endpoint) {
  std::vector<HttpHeader> headers;
  if (endpoint.kind == model::Kind::anthropic) headers.push_back({.name = "anthropic-version", .value = "2023-06-01"});
  if (endpoint.key.text.empty()) return headers;
  if (endpoint.kind == model::Kind::anthropic) headers.push_back({.name = "x-api-key", .value = endpoint.key.text});
  else headers.push_back({.name = "Authorization", .value = "Bearer " + endpoint.key.text});
  return headers;
}

// The list lies beside the method that answers prompts.
std::string list_address(const model::Endpoint& endpoint) {
  const std::string_view method = endpoint.kind == model::Kind::anthropic ? "/messages" : "/chat/completions";
  std::string url = endpoint.url;
  url.replace(url.rfind(method), method.size(), "/models");
  return url;
}

bool lists(const json::Value& list, std::string_view name) {
  const json::Value* data = list.find("data");
  if (data == nullptr || data->array() == nullptr) return true;  // of another form: who knows
  for (const json::Value& one : *data->array())
    if (one.text_or("id", "") == name) return true;
  return false;
}

ModelFinding judge(const model::Endpoint& endpoint, const std::string& name, const HttpResponse& response) {
  const std::string at = std::string(model::to_string(endpoint.kind)) + " at " + endpoint.shown;
  const std::string key = endpoint.key.text.empty() ? "no key" : "key from " + endpoint.key.origin;
  if (response.status == 401 || response.status == 402 || response.status == 403 || response.status >= 500)
    return {.detail = model::status_error(endpoint, name, response).message,
            .cure = "set " + key_variables(endpoint.kind) + " or --model-key-file, or choose another server with --model-url"};
  if (trim(response.body).starts_with('<') || (response.status >= 300 && response.status < 400))
    return {.detail = at + ": " + std::string(model::web_page_sentence), .cure = "give the API's address with --model-url"};
  if (response.status != 200) return {.good = true, .detail = at + " answers, and does not list its models; " + key};
  const auto list = json::parse(response.body);
  if (list && !name.empty() && !lists(*list, name))
    return {.detail = at + " has no model " + name, .cure = "give one that it lists with --model-name"};
  return {.good = true, .detail = at + " answers" + (name.empty() ? "" : " and has " + name) + "; " + key};
}

}  // namespace

ModelFinding look_at_model(Loop& loop, const Settings& settings) {
  const auto kind = model::kind_from(settings.text("model"));
  const auto variable = [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
  };
  auto key = model::find_api_key(*kind, variable, settings.text("model-key-file"));
  if (!key) return {.detail = key.error().message, .cure = "give a file that only you can read"};
  if (key->text.empty() && settings.text("model-url").empty())
    return {.detail = "no key found", .cure = "set " + key_variables(*kind) + ", or --model-key-file"};
  const auto endpoint = model::make_endpoint(
      {.kind = *kind, .url = settings.text("model-url"), .name = settings.text("model-name"), .key = *std::move(key)});
  if (!endpoint) return {.detail = endpoint.error().message, .cure = "mend --model-url"};
  const auto fetch = [&]() -> Task<Result<HttpResponse>> {
    HttpClient client(loop);
    co_return co_await client.fetch({.url = list_address(*endpoint),
                                     .headers = headers_for(*endpoint),
                                     .connect_timeout = connect_patience,
                                     .total_timeout = answer_patience,
                                     .body_limit = longest_list,
                                     .follow_redirects = false});
  };
  const auto response = loop.block_on(fetch());
  if (response) return judge(*endpoint, settings.text("model-name"), *response);
  return {.detail = "not reachable: " + model::printable(response.error().message, endpoint->key),
          .cure = "start the model's server, or give its address with --model-url"};
}

}  // namespace parlance::app

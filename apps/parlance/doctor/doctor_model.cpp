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

struct Asked {
  const DoctorReport& report;
  const model::Endpoint& endpoint;
  const std::string& name;  // Empty: the server's default model.
};

ModelFinding judge(const Asked& asked, const HttpResponse& response) {
  using enum DoctorText;
  const auto& [report, endpoint, name] = asked;
  const std::string kind(model::to_string(endpoint.kind));
  const std::string& at = endpoint.shown;
  const std::string key =
      endpoint.key.text.empty() ? report.text(model_key_none) : report.text(model_key_from, {endpoint.key.origin});
  if (response.status == 401 || response.status == 402 || response.status == 403 || response.status >= 500)
    return {.detail = model::status_error(endpoint, name, response).message,
            .cure = report.text(model_set_key_or_server, {key_variables(endpoint.kind)})};
  if (trim(response.body).starts_with('<') || (response.status >= 300 && response.status < 400))
    return {.detail = report.text(model_web_page, {kind, at}), .cure = report.text(model_give_address)};
  if (response.status != 200 || name.empty()) return {.good = true, .detail = report.text(model_answers, {kind, at, key})};
  const auto list = json::parse(response.body);
  if (list && !lists(*list, name))
    return {.detail = report.text(model_lacks_name, {kind, at, name}), .cure = report.text(model_choose_listed)};
  return {.good = true, .detail = report.text(model_has_name, {kind, at, name, key})};
}

}  // namespace

ModelFinding look_at_model(const DoctorReport& report, Loop& loop, const Settings& settings) {
  using enum DoctorText;
  const auto kind = model::kind_from(settings.text("model"));
  const auto variable = [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
  };
  auto key = model::find_api_key(*kind, variable, settings.text("model-key-file"));
  if (!key) return {.detail = key.error().message, .cure = report.text(model_private_key_file)};
  if (key->text.empty() && settings.text("model-url").empty())
    return {.detail = report.text(model_key_missing), .cure = report.text(model_set_key, {key_variables(*kind)})};
  const auto endpoint = model::make_endpoint(
      {.kind = *kind, .url = settings.text("model-url"), .name = settings.text("model-name"), .key = *std::move(key)});
  if (!endpoint) return {.detail = endpoint.error().message, .cure = report.text(model_correct_url)};
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
  if (response) return judge({.report = report, .endpoint = *endpoint, .name = settings.text("model-name")}, *response);
  return {.detail = report.text(model_not_reachable, {model::printable(response.error().message, endpoint->key)}),
          .cure = report.text(model_start_server)};
}

}  // namespace parlance::app

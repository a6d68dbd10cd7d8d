// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/doctor/doctor_model.h"

#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"
#include "parlance/model/connection/connections.h"
#include "parlance/model/connection/probe.h"
#include "parlance/model/provider/endpoint.h"
#include "parlance/model/settings.h"
#include "parlance/transport/http/http_client.h"

namespace parlance::app {
namespace {

std::string key_variables(model::Kind kind) {
  std::string names;
  for (const std::string_view name : model::api_key_variables(kind)) names += (names.empty() ? "" : " or ") + std::string(name);
  return names;
}

bool lists(const json::Value& list, std::string_view name) {
  const json::Value* data = list.find("data");
  if (data == nullptr || data->array() == nullptr) return true;  // of another form: undecided
  for (const json::Value& entry : *data->array())
    if (entry.text_or("id", "") == name) return true;
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

// The settings of the agent's model, with a key from the same source as the agent's.
Result<model::ModelSettings> asked_settings(const Settings& settings) {
  if (is_stored_connection(settings["model"])) {
    PARLANCE_TRY(stored, model::read_connections(state_folder(settings)));
    const model::Connection* const used = stored.used();
    if (used == nullptr) return fail(Errc::not_found, "the model connection was removed a moment ago: run parlance doctor again");
    const auto with_key = model::load_key(*used);
    if (!with_key) return fail(with_key.error().in("the model connection " + used->name));
    model::ModelSettings asked = model::settings_of(*with_key);
    asked.name = settings.text("model-name");
    return asked;
  }
  const auto kind = model::kind_from(settings.text("model"));
  PARLANCE_TRY(key, model::find_api_key(*kind, environment_variable, settings.text("model-key-file")));
  return model::ModelSettings{
      .kind = *kind, .url = settings.text("model-url"), .name = settings.text("model-name"), .key = std::move(key)};
}

}  // namespace

ModelFinding look_at_model(const DoctorReport& report, Loop& loop, const Settings& settings) {
  using enum DoctorText;
  const auto asked = asked_settings(settings);
  const DoctorText wrong_key = is_stored_connection(settings["model"]) ? model_correct_connection : model_private_key_file;
  if (!asked) return {.detail = asked.error().message, .cure = report.text(wrong_key)};
  if (asked->key.text.empty() && asked->url.empty())
    return {.detail = report.text(model_key_missing), .cure = report.text(model_set_key, {key_variables(asked->kind)})};
  const auto endpoint = model::make_endpoint(*asked);
  if (!endpoint) return {.detail = endpoint.error().message, .cure = report.text(model_correct_url)};
  const auto fetch = [&]() -> Task<Result<HttpResponse>> {
    HttpClient client(loop);
    co_return co_await client.fetch(model::models_request(*endpoint));
  };
  const auto response = loop.block_on(fetch());
  if (response) return judge({.report = report, .endpoint = *endpoint, .name = asked->name}, *response);
  return {.detail = report.text(model_not_reachable, {model::printable(response.error().message, endpoint->key)}),
          .cure = report.text(model_start_server)};
}

}  // namespace parlance::app

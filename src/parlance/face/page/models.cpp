// SPDX-License-Identifier: Apache-2.0
// The files of connections are small, so that reading them here delays no other page.
#include "parlance/face/page/models.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "parlance/model/connection/detect.h"
#include "parlance/model/connection/probe.h"

namespace parlance::face {
namespace {

std::optional<std::string> variable_of_gateway(std::string_view name) {
  const char* const value = std::getenv(std::string(name).c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

// Only a usual variable of the vendor, and only for the vendor's own address: no other variable leaves the gateway.
Result<void> check_variable(const page::GivenConnection& given, const model::Vendor& vendor) {
  const std::string& name = *given.key_variable;
  const bool is_usual = !name.empty() && std::ranges::find(vendor.key_variables, name) != vendor.key_variables.end();
  if (!is_usual || given.url != vendor.url)
    return fail(Errc::invalid_params,
                "$.connection.key_variable: only a usual variable of the vendor with the vendor's own "
                "address is possible; enter the key instead");
  const auto value = variable_of_gateway(name);
  if (!value || value->empty())
    return fail(Errc::invalid_params, "$.connection.key_variable: the gateway has no variable " + name + "; enter the key");
  return {};
}

Result<model::Connection> connection_of(const page::GivenConnection& given, const model::Connections& stored) {
  const auto kind = model::kind_from(given.dialect);
  const model::Vendor* const vendor = model::find_vendor(given.vendor);
  if (!kind) return fail(Errc::invalid_params, "$.connection.dialect is neither openai nor anthropic");
  if (vendor == nullptr) return fail(Errc::invalid_params, "$.connection.vendor is unknown: choose a vendor of the list");
  const model::Connection* const known = stored.find(given.name);
  const model::Connection* const before = known != nullptr && known->url == given.url ? known : nullptr;  // of the same address
  model::Connection made{.name = given.name,
                         .vendor = given.vendor,
                         .url = given.url,
                         .kind = *kind,
                         .model = given.model,
                         .unencrypted = given.unencrypted.value_or(before != nullptr && before->unencrypted)};
  if (given.key_variable) {
    PARLANCE_TRY_DO(check_variable(given, *vendor));
    made.key_variable = *given.key_variable;
  } else if (given.key) {
    made.key = *given.key;
  } else if (before != nullptr) {
    made.key = before->key;
    made.key_file = before->key_file;
    made.key_variable = before->key_variable;
  }
  if (auto good = model::check_connection(made); !good) return fail(Errc::invalid_params, "$.connection." + good.error().message);
  return made;
}

page::ModelsValue value_of(const model::Connections& stored, const std::string& fixed_by) {
  page::ModelsValue value{.fixed_by = fixed_by};
  for (const model::Vendor& vendor : model::vendors())
    value.vendors.push_back({.id = std::string(vendor.id),
                             .name = std::string(vendor.name),
                             .url = std::string(vendor.url),
                             .dialect = std::string(to_string(vendor.kind)),
                             .needs_key = vendor.needs_key()});
  for (const model::Connection& connection : stored.all)
    value.connections.push_back({.name = connection.name,
                                 .vendor = connection.vendor,
                                 .url = connection.url,
                                 .dialect = std::string(to_string(connection.kind)),
                                 .model = connection.model,
                                 .has_key = connection.has_key(),
                                 .used = connection.name == stored.chosen});
  return value;
}

}  // namespace

Result<model::Connections> PageModels::stored_models() const {
  if (settings_.folder.empty()) return fail(Errc::unknown_method, "this gateway stores no connections to models");
  return model::read_connections(settings_.folder);
}

auto PageModels::perform(page::GetModels&, hub::UserHub&) -> Answered<page::GetModels> {
  PARLANCE_CO_TRY(stored, stored_models());
  page::ModelsValue value = value_of(stored, settings_.fixed_by);
  for (model::FoundModel& model : co_await model::find_models(loop_, variable_of_gateway)) {
    if (std::ranges::find(stored.all, model.url, &model::Connection::url) != stored.all.end()) continue;
    value.found.push_back({.vendor = std::move(model.vendor),
                           .url = std::move(model.url),
                           .models = std::move(model.models),
                           .key_variable = std::move(model.key_variable)});
  }
  co_return value;
}

auto PageModels::perform(page::ListModels& m, hub::UserHub&) -> Answered<page::ListModels> {
  PARLANCE_CO_TRY(stored, stored_models());
  PARLANCE_CO_TRY(connection, connection_of(m.connection, stored));
  PARLANCE_CO_TRY(ids, co_await model::models_of(loop_, std::move(connection)));
  co_return page::ModelIds{.ids = std::move(ids)};
}

auto PageModels::perform(page::TestModel& m, hub::UserHub&) -> Answered<page::TestModel> {
  PARLANCE_CO_TRY(stored, stored_models());
  PARLANCE_CO_TRY(connection, connection_of(m.connection, stored));
  PARLANCE_CO_TRY(tested, co_await model::test_connection(loop_, std::move(connection)));
  co_return page::TestedModel{.latency_ms = tested.latency.count(), .model = tested.model};
}

auto PageModels::perform(page::SaveModel& m, hub::UserHub&) -> Answered<page::SaveModel> {
  PARLANCE_CO_TRY_DO(stored_models());
  PARLANCE_CO_TRY_DO(model::change_connections(settings_.folder, [&](model::Connections& all) -> Result<void> {
    PARLANCE_TRY(connection, connection_of(m.connection, all));
    all.chosen = connection.name;
    all.put(std::move(connection));
    return {};
  }));
  PARLANCE_CO_TRY(stored, stored_models());
  co_return value_of(stored, settings_.fixed_by);
}

auto PageModels::perform(page::RemoveModel& m, hub::UserHub&) -> Answered<page::RemoveModel> {
  PARLANCE_CO_TRY_DO(stored_models());
  PARLANCE_CO_TRY_DO(model::change_connections(settings_.folder, [&](model::Connections& all) -> Result<void> {
    if (!all.remove(m.name)) return fail(Errc::not_found, "unknown connection: the list may have changed meanwhile");
    return {};
  }));
  PARLANCE_CO_TRY(stored, stored_models());
  co_return value_of(stored, settings_.fixed_by);
}

}  // namespace parlance::face

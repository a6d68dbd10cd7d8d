// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/own_model.h"

#include "parlance/model/connection/connections.h"

namespace parlance::app {

bool follows_connections(const Settings& settings) {
  const Setting& model = settings["model"];
  return model.origin == default_origin || is_stored_connection(model);
}

OwnModel own_model(const Settings& settings) {
  const Setting& name = settings["model-name"];
  const std::string named = is_stored_connection(name) ? "" : name.value;
  const auto shown = [&](const std::string& otherwise) { return named.empty() ? otherwise : named; };
  const std::string& kind = settings.text("model");
  if (!follows_connections(settings)) return {.name = shown(kind), .scripted = kind == "rehearsal"};
  const auto stored = model::read_connections(state_folder(settings));
  if (!stored) return {.name = shown("parlance")};  // each turn reports the fault
  const model::Connection* const used = stored->used();
  if (used == nullptr) return {.name = shown("rehearsal"), .scripted = true};
  return {.name = shown(used->model.empty() ? used->name : used->model)};
}

}  // namespace parlance::app

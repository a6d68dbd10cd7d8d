// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/service_secrets.h"

#include "parlance/model/connection/connections.h"
#include "parlance/model/connection/vendors.h"

namespace parlance::app {

std::vector<std::string> embed_secrets() { return {"PARLANCE_EMBED_API_KEY", "OPENAI_API_KEY"}; }

std::vector<std::string> agent_secrets(const std::string& state_folder) {
  std::vector<std::string> names = embed_secrets();
  for (const char* name : {"PARLANCE_API_KEY", "OPENCLAW_API_KEY", "ANTHROPIC_API_KEY", "PARLANCE_STORE", "PGPASSWORD",
                           "PGPASSFILE", "PGSERVICEFILE", "PGSSLKEY", "PGSSLPASSWORD"})
    names.emplace_back(name);
  for (const model::Vendor& vendor : model::vendors())
    for (const std::string_view name : vendor.key_variables)
      if (!name.empty()) names.emplace_back(name);
  if (const auto stored = model::read_connections(state_folder))  // each turn reports a fault of the file
    for (const model::Connection& connection : stored->all)
      if (!connection.key_variable.empty()) names.push_back(connection.key_variable);
  return names;
}

}  // namespace parlance::app

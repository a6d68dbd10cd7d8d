// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/service_secrets.h"

namespace parlance::app {

std::vector<std::string> embed_secrets() { return {"PARLANCE_EMBED_API_KEY", "OPENAI_API_KEY"}; }

std::vector<std::string> agent_secrets() {
  std::vector<std::string> names = embed_secrets();
  for (const char* name : {"PARLANCE_API_KEY", "OPENCLAW_API_KEY", "ANTHROPIC_API_KEY", "PARLANCE_STORE", "PGPASSWORD",
                           "PGPASSFILE", "PGSERVICEFILE", "PGSSLKEY", "PGSSLPASSWORD"})
    names.emplace_back(name);
  return names;
}

}  // namespace parlance::app

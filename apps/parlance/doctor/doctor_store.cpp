// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/doctor/doctor_store.h"

#include "parlance/store/hub_pg/server_warnings.h"
#include "parlance/store/memory_pg/findings.h"

namespace parlance::app {

Result<StoreFindings> look_at_store(const std::string& address) {
  const pg::Interrupt never_raised;
  const pg::ConnectSettings settings{.address = address, .name = "parlance doctor"};
  PARLANCE_TRY(warnings, store::server_warnings(settings, never_raised));
  PARLANCE_TRY(gateways, store::living_hubs(settings, never_raised));
  return StoreFindings{.gateways = std::move(gateways), .warnings = std::move(warnings)};
}

Result<std::string> look_at_shared_memory(const std::string& address) {
  const pg::Interrupt never_raised;
  return store::look_at_memories({.address = address, .name = "parlance doctor"}, never_raised);
}

}  // namespace parlance::app

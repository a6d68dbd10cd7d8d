// SPDX-License-Identifier: Apache-2.0
// The permission of each ACP method (hub/team/rights.h). A method without a row does not compile. Values; any thread.
#pragma once

#include <array>

#include "parlance/hub/team/rights.h"
#include "parlance/protocol/acp/messages.h"

namespace parlance::face {

struct AcpPermission {
  std::string_view method;
  hub::Permission permission;
};
inline constexpr std::array acp_permissions{
    AcpPermission{"initialize", hub::Permission::enter},
    AcpPermission{"authenticate", hub::Permission::enter},
    AcpPermission{"logout", hub::Permission::enter},
    AcpPermission{"session/new", hub::Permission::create},
    AcpPermission{"session/load", hub::Permission::read},
    AcpPermission{"session/resume", hub::Permission::read},
    AcpPermission{"session/list", hub::Permission::list},
    AcpPermission{"session/close", hub::Permission::enter},
    AcpPermission{"session/delete", hub::Permission::remove},
    AcpPermission{"session/prompt", hub::Permission::prompt},
    AcpPermission{"session/cancel", hub::Permission::stop},
    AcpPermission{"session/cancel (request)", hub::Permission::stop},
    AcpPermission{"session/set_mode", hub::Permission::change},
    AcpPermission{"session/set_model", hub::Permission::change},
    AcpPermission{"session/set_config_option", hub::Permission::change},
    AcpPermission{"session/set_think", hub::Permission::change},
    // Served by runners to their gateway. No user's token reaches a runner.
    AcpPermission{"_parlance/let_go", hub::Permission::connect},
    AcpPermission{"_parlance/files", hub::Permission::connect},
    AcpPermission{"_parlance/wanted", hub::Permission::connect},
};

// Never defined: reaching it stops the compiler.
void this_method_needs_one_row_in_acp_permissions();

consteval hub::Permission acp_permission(std::string_view method) {
  hub::Permission found = hub::Permission::administer;
  int rows = 0;
  for (const AcpPermission& permission : acp_permissions) {
    if (permission.method != method) continue;
    found = permission.permission;
    ++rows;
  }
  if (rows != 1) this_method_needs_one_row_in_acp_permissions();
  return found;
}

}  // namespace parlance::face

// SPDX-License-Identifier: Apache-2.0
// docs/permissions.md: the permission of each message of each frontend, printed from the tables that the dispatchers use (hub/team/rights,
// gateway/own_addresses, gateway/addresses of this program, permissions.h of page, webview and ACP, driver/acp/runners). Pure; any thread.
#pragma once

#include <string>

namespace parlance::app {

std::string describe_permissions();

}  // namespace parlance::app

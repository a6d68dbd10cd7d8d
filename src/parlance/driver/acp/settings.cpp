// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/settings.h"

namespace parlance::driver {

Error no_acp_agent(const AcpAgentSettings& settings) {
  return {.code = Errc::not_found,
          .message = "no program \"" + settings.command.front() + "\" for " + settings.name + ": " +
                     (settings.install.empty() ? "install it, or say where it is" : settings.install)};
}

}  // namespace parlance::driver

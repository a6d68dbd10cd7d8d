// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/core.h"

#include <algorithm>

namespace parlance::hub {

std::shared_ptr<AgentProvider> Core::provider(std::string_view id) const {
  const auto found = std::ranges::find_if(providers, [&](const auto& provider) { return provider->info().id == id; });
  return found == providers.end() ? nullptr : *found;
}

}  // namespace parlance::hub

// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/policy/withhold_always.h"

#include <algorithm>

namespace parlance::hub {

void withhold_always(std::vector<AskOption>& options, std::vector<OfferedRule>& rules) {
  std::erase_if(options, [](const AskOption& option) { return option.kind == OptionKind::allow_always; });
  rules.clear();
  if (std::ranges::none_of(options, [](const AskOption& option) { return option.kind == OptionKind::allow_once; }))
    options = once_offer();
}

}  // namespace parlance::hub

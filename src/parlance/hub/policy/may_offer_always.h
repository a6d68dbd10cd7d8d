// SPDX-License-Identifier: Apache-2.0
// Whether a person may answer "always" to a call. A standing permission covers later calls of the same form. A person who sees another
// text than the agent sends cannot judge this form, so input with hidden characters is allowed once or refused. Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "parlance/hub/conversation/tool_call.h"

namespace parlance::hub {

// Looks at every text of the intent, its paths and its command included.
bool may_offer_always(const ToolIntent& intent);

// The same for the texts of an ask, which may come without an intent.
bool may_offer_always(const std::string& title, const std::optional<std::string>& detail, const std::optional<Diff>& diff);

}  // namespace parlance::hub

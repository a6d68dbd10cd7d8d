// SPDX-License-Identifier: Apache-2.0
// The flat forms that servers ask a person to fill in (`elicitation/create`). Values; any thread.
#pragma once

#include "parlance/protocol/mcp/methods.h"

namespace parlance::mcp {

// The accepted content, with the schema's defaults for missing fields (SEP-1034).
Raw with_defaults(const Raw& schema, const Raw& content);

}  // namespace parlance::mcp

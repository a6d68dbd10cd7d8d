// SPDX-License-Identifier: Apache-2.0
// The messages of each protocol, generated from their tables: for `parlance describe`, docs/protocol and
// apps/web/src/protocol.ts. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"

namespace parlance::app {

// `protocol`: one of described_protocols, or empty to list them. `form`: markdown, typescript or schema; policy has one form.
Result<std::string> describe_protocol(const std::string& protocol, const std::string& form);

// gorpc, page, …: their order in the list.
std::vector<std::string_view> described_protocols();

}  // namespace parlance::app

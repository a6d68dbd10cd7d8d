// SPDX-License-Identifier: Apache-2.0
// Parses an agent's documents about memories (net/rpc transmits JSON as text) for display. Members that another agent omits are
// empty. Any thread.
#pragma once

#include <string>

#include "parlance/protocol/page/messages.h"

namespace parlance::face {

page::MemoriesValue memories_in(const std::string& document);

}  // namespace parlance::face

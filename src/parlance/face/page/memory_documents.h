// SPDX-License-Identifier: Apache-2.0
// The documents in which an agent tells of its memories (net/rpc carries them as JSON text), read for those who show them. What
// another agent leaves out is empty. Any thread.
#pragma once

#include <string>

#include "parlance/protocol/page/messages.h"

namespace parlance::face {

page::MemoriesValue memories_in(const std::string& document);

}  // namespace parlance::face

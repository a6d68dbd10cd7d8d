// SPDX-License-Identifier: Apache-2.0
// The files that go with a message: pictures and sounds as they are, anything else as a link. Blocks; any thread.
#pragma once

#include <string>
#include <vector>

#include "parlance/protocol/acp/content.h"

namespace parlance::iflow {

struct AttachedContent {
  std::vector<acp::Content> blocks{};
  std::vector<std::string> left_out{};  // why each that is not there is not
};

// Relative names are meant from `folder`.
AttachedContent attach(const std::vector<std::string>& files, const std::string& folder);

}  // namespace parlance::iflow

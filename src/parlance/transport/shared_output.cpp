// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/shared_output.h"

namespace parlance {

Result<void> send_joined(Frames& frames, std::span<const SharedBytes> parts) {
  if (auto* sharing = dynamic_cast<SharedOutput*>(&frames)) return sharing->send_joined(parts);
  return frames.compose([parts](std::string& out) -> Result<void> {
    for (const SharedBytes& part : parts) out += *part;
    return {};
  });
}

}  // namespace parlance

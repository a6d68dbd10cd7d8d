// SPDX-License-Identifier: Apache-2.0
// Sending one long text to many connections without copying it for each: the text is written once and every connection's output
// refers to it until the system has taken it. Loop thread only.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "parlance/base/result.h"
#include "parlance/transport/frames.h"

namespace parlance {

using SharedBytes = std::shared_ptr<const std::string>;

// Frames that send shared bytes without a copy. Other frames copy the bytes.
class SharedOutput {
 public:
  // One frame of these parts, one after the other.
  virtual Result<void> send_joined(std::span<const SharedBytes> parts) = 0;

 protected:
  ~SharedOutput() = default;
};

Result<void> send_joined(Frames& frames, std::span<const SharedBytes> parts);

}  // namespace parlance

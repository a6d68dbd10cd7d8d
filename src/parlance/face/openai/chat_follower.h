// SPDX-License-Identifier: Apache-2.0
// Who hears of a chat while the hub runs it. Loop thread only.
#pragma once

#include <string>

#include "parlance/base/result.h"
#include "parlance/model/model.h"

namespace parlance::face {

// Hears of a chat while it runs.
class ChatFollower : public model::ChunkSink {
 public:
  // For the person who waits at the client: that somebody has to decide something, and where.
  virtual void on_note(std::string note) = 0;

 protected:
  ~ChatFollower() = default;
};

class Unfollowed final : public ChatFollower {  // for callers that only want the completion
 public:
  Result<void> on_chunk(model::Chunk) override { return {}; }
  void on_note(std::string) override {}
};

}  // namespace parlance::face

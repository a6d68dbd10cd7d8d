// SPDX-License-Identifier: Apache-2.0
// Receives the progress of a chat in the hub. Loop thread only.
#pragma once

#include <string>

#include "parlance/base/result.h"
#include "parlance/model/model.h"

namespace parlance::face {

class ChatFollower : public model::ChunkSink {
 public:
  // A note for the waiting person at the client: a request needs an answer, with its place.
  virtual void on_note(std::string note) = 0;

 protected:
  ~ChatFollower() = default;
};

class Unfollowed final : public ChatFollower {  // for callers interested only in the completion
 public:
  Result<void> on_chunk(model::Chunk) override { return {}; }
  void on_note(std::string) override {}
};

}  // namespace parlance::face

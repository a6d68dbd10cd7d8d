// SPDX-License-Identifier: Apache-2.0
// Chats that run under a name: their text, for those who follow them with ChatStream, and the answers of those that are kept, for a caller
// that was cut off and comes back (docs/decisions/0032-a-turn-outlives-its-gateway.md). Loop thread only.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/cancel.h"
#include "parlance/async/channel.h"
#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
#include "parlance/protocol/gorpc/messages.h"

namespace parlance::server {

class ChatStreams {
 public:
  // A gateway that is started again is there within seconds; a model that nobody listens to costs money.
  static constexpr std::chrono::seconds most_kept{600};

  struct Stream {
    explicit Stream(Loop& loop) : changed(loop), cancel(loop) {}
    void add(std::string_view kind, std::string_view text);
    std::vector<gorpc::ChatPiece> pieces;
    std::size_t bytes = 0;      // of the pieces, and of the answer
    std::size_t delivered = 0;  // pieces that a follower has: they grow no more
    bool done = false;
    Signal changed;
    CancelSource cancel;
  };
  using Answer = Result<gorpc::ChatReply>;
  using Begin = std::function<Task<Answer>(std::shared_ptr<Stream>)>;

  explicit ChatStreams(Loop& loop) : loop_(loop), opened_(loop), running_(loop) {}
  ~ChatStreams();

  // Runs the Chat `name`. One that is not kept runs in the task that comes back, and ends with it. One that is kept goes on for so long
  // without anybody who waits for it, and its answer stays for so long; whoever wants it under that name meanwhile waits for the same
  // answer, and `begin` is not called. Errors: invalid_params (one that is not kept runs under this name); cancelled.
  Task<Answer> answer(std::string name, std::chrono::seconds keep, Begin begin);
  Task<Result<gorpc::ChatStreamReply>> follow(gorpc::ChatStreamArgs args);
  bool cancel(const std::string& name);

 private:
  struct Kept;
  std::shared_ptr<Stream> open(const std::string& name);  // null when one of that name runs already
  void finish(const std::string& name);                   // its pieces stay readable for a while
  void forget(const std::string& name);
  std::shared_ptr<Kept> kept(const std::string& name, std::chrono::seconds keep, const Begin& begin);
  Task<void> run(std::shared_ptr<Kept> kept, Task<Answer> chat);

  Loop& loop_;
  std::map<std::string, std::shared_ptr<Stream>> streams_;
  std::map<std::string, std::shared_ptr<Kept>> kept_;
  std::deque<std::string> finished_;  // the oldest first
  std::size_t finished_bytes_ = 0;
  Signal opened_;
  Scope running_;  // the Chats that are kept
};

}  // namespace parlance::server

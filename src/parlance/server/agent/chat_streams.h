// SPDX-License-Identifier: Apache-2.0
// Named Chats: their text, for followers with ChatStream, and the answers of kept Chats, for a disconnected caller that returns
// (docs/decisions/0032-a-turn-outlives-its-gateway.md). Loop thread only.
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
  // A restarted gateway returns within seconds; a model without a caller costs money.
  static constexpr std::chrono::seconds most_kept{600};

  struct Stream {
    explicit Stream(Loop& loop) : changed(loop), cancel(loop) {}
    void add(std::string_view kind, std::string_view text);
    std::vector<gorpc::ChatPiece> pieces;
    std::size_t bytes = 0;      // of the pieces, and of the answer
    std::size_t delivered = 0;  // delivered pieces, which no longer grow
    bool done = false;
    Signal changed;
    CancelSource cancel;
  };
  using Answer = Result<gorpc::ChatReply>;
  using Begin = std::function<Task<Answer>(std::shared_ptr<Stream>)>;

  explicit ChatStreams(Loop& loop) : loop_(loop), opened_(loop), running_(loop) {}
  ~ChatStreams();

  // Runs the Chat `name`. An unkept Chat runs in the returned task, and ends with the task. A kept Chat continues for `keep`
  // without a waiting caller, and its answer stays for the same time. Meanwhile callers of the same name wait for the same
  // answer, without a call of `begin`. Errors: invalid_params (an unkept Chat of this name runs); cancelled.
  Task<Answer> answer(std::string name, std::chrono::seconds keep, Begin begin);
  Task<Result<gorpc::ChatStreamReply>> follow(gorpc::ChatStreamArgs args);
  bool cancel(const std::string& name);

 private:
  struct Kept;
  std::shared_ptr<Stream> open(const std::string& name);  // null if a stream of this name runs already
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
  Scope running_;  // the kept Chats
};

}  // namespace parlance::server

// Serves our agent, its memory and its counts over Go net/rpc, under both service names. Loop thread only; what it refers to
// outlives the router.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parlance/agent/agent.h"
#include "parlance/async/cancel.h"
#include "parlance/async/channel.h"
#include "parlance/memory/store.h"
#include "parlance/peer/router.h"
#include "parlance/protocol/gorpc/messages.h"
#include "parlance/store/chat_counts.h"

namespace parlance::server {

// Text of running Chat calls, for those who follow them with ChatStream.
class ChatStreams {
 public:
  struct Stream {
    explicit Stream(Loop& loop) : changed(loop), cancel(loop) {}
    void add(std::string_view kind, std::string_view text);
    std::vector<gorpc::ChatPiece> pieces;
    std::size_t delivered = 0;  // pieces that a follower has: they grow no more
    bool done = false;
    Signal changed;
    CancelSource cancel;
  };

  explicit ChatStreams(Loop& loop) : loop_(loop), opened_(loop) {}
  // Null when a stream of that name runs already.
  std::shared_ptr<Stream> open(const std::string& name);
  void finish(const std::string& name);  // Its pieces stay readable for a while.
  Task<Result<gorpc::ChatStreamReply>> follow(gorpc::ChatStreamArgs args);
  bool cancel(const std::string& name);

 private:
  Loop& loop_;
  std::map<std::string, std::shared_ptr<Stream>> streams_;
  std::deque<std::string> finished_;
  Signal opened_;
};

struct ServedAgent {
  Loop& loop;
  agent::ChatAgent* agent = nullptr;  // null: every Chat is answered "agent not initialized"
  memory::Store* memory = nullptr;    // null: "storage not initialized", "memory store not initialized"
  ChatStreams& streams;
  store::ChatCounts* counts = nullptr;  // null: Stats counts since the start of this process
};

void serve_agent(Router& router, ServedAgent served);

// What gorpc_parts.h writes, read back.
std::string tool_result_text(const std::string& json);  // the text of a JSON string, any other JSON as it stands

}  // namespace parlance::server

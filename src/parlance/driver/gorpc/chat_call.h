// One Chat over net/rpc, with its text while it comes: Chat is one call, so ChatStream is asked beside it again and again
// (docs/decisions/0005-streaming-over-net-rpc.md). An agent that knows no ChatStream is heard at the end. Loop thread only.
#pragma once

#include <cstddef>
#include <string_view>

#include "parlance/async/task.h"
#include "parlance/driver/gorpc/agent_link.h"

namespace parlance::driver {

class ChatListener {
 public:
  virtual void on_text(std::string_view piece) = 0;
  virtual void on_thought(std::string_view piece) = 0;
  virtual Task<void> room() { co_return; }  // waits while the listener has more than it can take
  // All places of the agent are taken: it begins when those that came before it have had theirs.
  virtual void on_wait(std::size_t before) { static_cast<void>(before); }
  virtual void on_begin() {}  // after on_wait

 protected:
  ~ChatListener() = default;
};

// Waits in AgentLink::places while all are taken. When it ends well, the listener has heard all of the reply's content and reasoning, once. Destroying the task cancels the Chat at
// the agent. `args.stream` is filled in.
Task<Result<gorpc::ChatReply>> call_chat(AgentLink& link, gorpc::ChatArgs args, ChatListener& listener);

}  // namespace parlance::driver

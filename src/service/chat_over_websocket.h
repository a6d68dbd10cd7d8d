// /ws/chat as deployed clients know it: {"type":"chat","content":{model,messages}} (the content as an object, or as text that holds
// one) is answered by pieces ({"type":"chunk"}) and one {"type":"done"} or {"type":"error"}; ping by pong. Chats of one connection run
// one after the other. Loop thread only; the backend outlives the server.
#pragma once

#include <memory>

#include "async/scope.h"
#include "service/chat_backend.h"
#include "transport/frames.h"

namespace parlance::service {

class ChatOverWebSocket {
 public:
  ChatOverWebSocket(Loop& loop, ChatBackend& backend) : loop_(loop), backend_(backend), scope_(loop) {}
  void serve(std::unique_ptr<Frames> frames);  // Returns at once; its end cancels what runs.
  std::size_t connections() const { return scope_.running(); }

 private:
  class Connection;
  Task<void> run(std::unique_ptr<Frames> frames);
  Loop& loop_;
  ChatBackend& backend_;
  Scope scope_;  // the connections; last, so that they go first
};

}  // namespace parlance::service

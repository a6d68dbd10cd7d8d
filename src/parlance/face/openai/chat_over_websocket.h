// SPDX-License-Identifier: Apache-2.0
// /ws/chat as deployed clients know it: {"type":"chat","content":{model,messages}} (the content as an object, or as text that holds
// one) is answered by pieces ({"type":"chunk"}) and one {"type":"done"} or {"type":"error"}; ping by pong. Chats of one connection run
// one after the other, each as a conversation of the hub (chat_via_hub.h). Deployed clients put what they like into `model`: one that is
// none of ours is our own agent. Loop thread only; what it is given outlives the server.
#pragma once

#include <memory>

#include "parlance/async/scope.h"
#include "parlance/face/openai/chat_via_hub.h"
#include "parlance/face/openai/served_models.h"
#include "parlance/transport/frames.h"

namespace parlance::face {

class ChatOverWebSocket {
 public:
  ChatOverWebSocket(Loop& loop, ChatViaHub& chats, const ServedModels& models)
      : loop_(loop), chats_(chats), models_(models), scope_(loop) {}
  void serve(std::unique_ptr<Frames> frames, hub::UserHub hub);  // Returns at once; its end cancels what runs.
  std::size_t connections() const { return scope_.running(); }

 private:
  class Connection;
  Task<void> run(std::unique_ptr<Frames> frames, hub::UserHub hub);
  Loop& loop_;
  ChatViaHub& chats_;
  const ServedModels& models_;
  Scope scope_;  // the connections; last, so that they go first
};

}  // namespace parlance::face

// SPDX-License-Identifier: Apache-2.0
// /ws/chat for deployed clients. The message {"type":"chat","content":{model,messages}} (content as an object, or as text with
// the object) gets pieces ({"type":"chunk"}) and a final {"type":"done"} or {"type":"error"}. A ping gets a pong. Chats of a
// connection run one after the other, each as a conversation of the hub (chat_via_hub.h). Deployed clients use arbitrary names in
// `model`: an unknown name selects the built-in agent. Loop thread only; all arguments must outlive the server.
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
  // Returns at once; the end of the connection cancels running chats.
  void serve(std::unique_ptr<Frames> frames, hub::UserHub hub);
  std::size_t connections() const { return scope_.running(); }

 private:
  class Connection;
  Task<void> run(std::unique_ptr<Frames> frames, hub::UserHub hub);
  Loop& loop_;
  ChatViaHub& chats_;
  const ServedModels& models_;
  Scope scope_;  // the connections; last member, so destroyed first
};

}  // namespace parlance::face

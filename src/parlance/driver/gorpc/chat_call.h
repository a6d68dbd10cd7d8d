// SPDX-License-Identifier: Apache-2.0
// A streamed Chat over net/rpc. Chat is a single call, so the driver polls ChatStream in parallel
// (docs/decisions/0005-streaming-over-net-rpc.md). For an agent without ChatStream the text arrives at the end. Loop thread only.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "parlance/async/task.h"
#include "parlance/driver/gorpc/agent_link.h"

namespace parlance::driver {

class ChatListener {
 public:
  virtual void on_text(std::string_view piece) = 0;
  virtual void on_thought(std::string_view piece) = 0;
  virtual Task<void> wait_writable() { co_return; }  // waits while the listener's buffer is full
  // All slots of the agent are in use: the Chat waits for `before` earlier Chats.
  virtual void on_wait(std::size_t before) { static_cast<void>(before); }
  virtual void on_begin() {}  // after on_wait
  // The model is retried, or is silent: the id and numbers of Turn::set_waits_for; empty: continues.
  virtual void on_hold(std::string what) { static_cast<void>(what); }
  // The following pieces form a different answer than the published pieces.
  virtual void on_other_answer() {}

 protected:
  ~ChatListener() = default;
};

// An answer in transit to a listener. After a restart of gateway or agent the answer arrives again from its beginning: the class
// compares the pieces with the published text and publishes only the rest. A different answer is published as a whole.
class AnswerStream {
 public:
  // `text` and `thought`: already published.
  explicit AnswerStream(ChatListener& listener, std::string text = {}, std::string thought = {})
      : listener_(listener), text_(std::move(text)), thought_(std::move(thought)), again_(!text_.empty() || !thought_.empty()) {}

  void begin();  // the answer arrives from its beginning
  void piece(const gorpc::ChatPiece& piece);
  // Publishes the part that the stream lacked (not supported, or broken).
  void complete(const gorpc::ChatReply& reply);
  bool has_text() const { return !text_.empty(); }
  ChatListener& listener() const { return listener_; }

 private:
  struct Part {
    std::string& published;
    std::size_t& received;
    void (ChatListener::*publish)(std::string_view);
  };
  Part text() { return {text_, text_received_, &ChatListener::on_text}; }
  Part thought() { return {thought_, thought_received_, &ChatListener::on_thought}; }
  void receive(Part part, std::string_view piece);
  void receive_rest(Part part, std::string_view whole);
  void publish(Part part, std::string_view piece);
  void begin_other();

  ChatListener& listener_;
  std::string text_;  // published
  std::string thought_;
  std::size_t text_received_ = 0;  // received bytes of the published text, this time
  std::size_t thought_received_ = 0;
  bool again_;  // partially published before
  bool begun_ = false;
};

// How long a Chat continues without its gateway: until the gateway is back, at most the duration of a restart.
struct KeptChat {
  std::string name{};  // equal for the same answer, for every caller
  std::chrono::seconds keep{0};
};

// Waits for a slot in AgentLink::slots. After success the listener has received the whole content and reasoning exactly once.
// Destroying the task cancels the Chat at the agent (except after AgentLink::detach_chats). The function sets `stream` and
// `keep`.
// Calls Chat, or ContinueChat if `args` refers to kept messages.
Task<Result<gorpc::ContinueChatReply>> call_chat(AgentLink& link, gorpc::ContinueChatArgs args, AnswerStream& answer,
                                                 KeptChat kept = {});
Task<Result<gorpc::ChatReply>> call_chat(AgentLink& link, gorpc::ChatArgs args, ChatListener& listener);

}  // namespace parlance::driver

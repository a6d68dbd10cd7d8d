// SPDX-License-Identifier: Apache-2.0
// One Chat over net/rpc, with its text while it comes: Chat is one call, so ChatStream is asked beside it again and again
// (docs/decisions/0005-streaming-over-net-rpc.md). An agent that knows no ChatStream is heard at the end. Loop thread only.
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
  virtual Task<void> room() { co_return; }  // waits while the listener has more than it can take
  // All places of the agent are taken: it begins when those that came before it have had theirs.
  virtual void on_wait(std::size_t before) { static_cast<void>(before); }
  virtual void on_begin() {}  // after on_wait
  // The model is asked again, or sends nothing: the id and numbers of Turn::set_waits_for; empty: it goes on.
  virtual void on_hold(std::string what) { static_cast<void>(what); }
  // Another answer than the one that was being told: what follows is all of it.
  virtual void on_other_answer() {}

 protected:
  ~ChatListener() = default;
};

// One answer on its way to a listener. When it is heard again from its beginning, because the gateway or the agent was started anew, what
// was told is not told again: what comes is held against it. An answer that turns out to be another one is told as a whole.
class AnswerHeard {
 public:
  // What the listener has been told of it already.
  explicit AnswerHeard(ChatListener& listener, std::string text = {}, std::string thought = {})
      : listener_(listener), text_(std::move(text)), thought_(std::move(thought)), again_(!text_.empty() || !thought_.empty()) {}

  void begin();  // it is heard from its beginning
  void piece(const gorpc::ChatPiece& piece);
  // What the stream did not bring (none was offered, or it broke off) is told now.
  void complete(const gorpc::ChatReply& reply);
  bool has_text() const { return !text_.empty(); }
  ChatListener& listener() const { return listener_; }

 private:
  struct Part {
    std::string& told;
    std::size_t& heard;
    void (ChatListener::*tell)(std::string_view);
  };
  Part text() { return {text_, text_heard_, &ChatListener::on_text}; }
  Part thought() { return {thought_, thought_heard_, &ChatListener::on_thought}; }
  void hear(Part part, std::string_view piece);
  void hear_rest(Part part, std::string_view whole);
  void tell(Part part, std::string_view piece);
  void begin_other();

  ChatListener& listener_;
  std::string text_;  // told
  std::string thought_;
  std::size_t text_heard_ = 0;  // of what was told; this time
  std::size_t thought_heard_ = 0;
  bool again_;  // it was told in part before
  bool begun_ = false;
};

// How a Chat goes on without us: until we are there again, and no longer than a gateway takes to be started.
struct KeptChat {
  std::string name{};  // the same for the same answer, whoever asks for it
  std::chrono::seconds keep{0};
};

// Waits in AgentLink::places while all are taken. When it ends well, the listener has heard all of the reply's content and reasoning, once.
// Destroying the task cancels the Chat at the agent (but see AgentLink::leave). `args.stream` and `args.keep` are filled in.
Task<Result<gorpc::ChatReply>> call_chat(AgentLink& link, gorpc::ChatArgs args, AnswerHeard& heard, KeptChat kept = {});
Task<Result<gorpc::ChatReply>> call_chat(AgentLink& link, gorpc::ChatArgs args, ChatListener& listener);

}  // namespace parlance::driver

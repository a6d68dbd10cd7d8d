// SPDX-License-Identifier: Apache-2.0
// Converts the stream of a Claude session into events of a conversation. Sans-I/O: lines in, events out. One instance per
// session; loop thread only.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "parlance/adapter/claude/tools.h"
#include "parlance/base/newest.h"
#include "parlance/protocol/claude/messages.h"
#include "parlance/protocol/claude/stream.h"

namespace parlance::hub {
struct EventBody;
}

namespace parlance::driver {

class ClaudeEvents {
 public:
  // Receives the converted lines.
  class Sink {
   public:
    virtual void emit(hub::EventBody body) = 0;
    virtual void session(std::string_view id) = 0;            // the session's id for a resume
    virtual void permission_mode(std::string_view mode) = 0;  // the agent's own mode
    virtual void answered(const json::Value& message) = 0;    // an answer of the main model
    virtual void result(claude::TurnResult result) = 0;       // the end of the turn
    virtual void ran_unjudged(const std::string&) {}          // a tool succeeded in a call that parlance had not seen before

   protected:
    ~Sink() = default;
  };
  explicit ClaudeEvents(Sink& sink) : sink_(sink) {}

  void line(const claude::StreamLine& line);
  // A call with a permission request: announced, unless the stream has announced it. Returns its id. `agent`: id of the calling
  // sub-agent; empty: the main agent. 2.1.332 asks for a sub-agent's call before the stream names the call's parent.
  std::string announce(const adapter::ClaudeCall& call, const std::optional<std::string>& id, std::string_view agent = {});
  void refused(const std::string& call) { refused_.insert(call); }    // by a person or a rule
  void answered(const std::string& call) { answered_.insert(call); }  // another answer, such as to plan again: no failure
  void judged(const std::string& call) { judged_.insert(call); }      // parlance saw the call before its run
  void turn_begins();
  // The input of a requested call is the stream's: 2.1.329 asks for ExitPlanMode with an empty input.
  const adapter::ClaudeCall* find(const std::string& call) const;

 private:
  static constexpr std::size_t most_agents = 64;  // parallel sub-agents, background included
  void system(const claude::StreamLine& line);
  void notice(const claude::StreamLine& line);
  void partial(const claude::StreamLine& line);
  void delta(std::string_view json);
  void assistant(const claude::StreamLine& line);
  void user(const claude::StreamLine& line);
  void tool_use(const json::Value& block, std::string_view parent);
  void tool_result(const json::Value& block, const json::Value* detail);
  void text(std::string_view text);
  void thought(std::string_view text);
  void end_thinking();

  Sink& sink_;
  bool streaming_ = false;    // the current block was streamed
  std::size_t streamed_ = 0;  // published bytes of the block
  bool thinking_ = false;
  std::string scratch_;
  std::map<std::string, adapter::ClaudeCall, std::less<>> calls_;  // without a result
  Newest<std::string> calls_of_agents_{most_agents};               // the call of a sub-agent, by the sub-agent's id
  std::set<std::string, std::less<>> refused_;
  std::set<std::string, std::less<>> answered_;
  std::set<std::string, std::less<>> judged_;
};

// Whether an event may occur between turns: all except events that a turn would have to close.
bool stands_alone(const hub::EventBody& body);

// Whether more lines follow a lost overlong line, decided by its beginning: the loss of a question or a result would leave a
// caller waiting without end.
bool turn_continues_after(BytesView lost_line);

}  // namespace parlance::driver

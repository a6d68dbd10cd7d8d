// SPDX-License-Identifier: Apache-2.0
// A Claude session's stream as events of a conversation. Sans-I/O: lines in, events out. One instance a session; loop thread only.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "parlance/adapter/claude/tools.h"
#include "parlance/base/newest.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/protocol/claude/messages.h"
#include "parlance/protocol/claude/stream.h"

namespace parlance::driver {

class ClaudeEvents {
 public:
  // Who is told what lines mean.
  class Sink {
   public:
    virtual void emit(hub::EventBody body) = 0;
    virtual void session(std::string_view id) = 0;            // the name to resume by
    virtual void permission_mode(std::string_view mode) = 0;  // as the agent has it
    virtual void answered(const json::Value& message) = 0;    // by the model that talks to the person
    virtual void result(claude::TurnResult result) = 0;       // the turn has ended
    virtual void ran_unjudged(const std::string&) {}          // a tool succeeded in a call that parlance did not see before

   protected:
    ~Sink() = default;
  };
  explicit ClaudeEvents(Sink& sink) : sink_(sink) {}

  void line(const claude::StreamLine& line);
  // A call that parlance asks about: announced, unless the stream has announced it. Returns its id. `agent`: the id of the sub-agent that
  // calls; empty: the main agent. 2.1.332 asks about a call of a sub-agent before the stream names the parent of the call.
  std::string announce(const adapter::ClaudeCall& call, const std::optional<std::string>& id, std::string_view agent = {});
  void refused(const std::string& call) { refused_.insert(call); }    // by a person or a rule
  void answered(const std::string& call) { answered_.insert(call); }  // otherwise than it was meant, which is no failure
  void judged(const std::string& call) { judged_.insert(call); }      // parlance saw the call before it ran
  void turn_begins();
  // A tool that is asked about is told by its input in the stream: 2.1.329 asks about ExitPlanMode with an empty one.
  const adapter::ClaudeCall* find(const std::string& call) const;

 private:
  static constexpr std::size_t most_agents = 64;  // sub-agents that run at once, in the background too
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
  bool streaming_ = false;    // the running block came in pieces
  std::size_t streamed_ = 0;  // bytes of it that were told
  bool thinking_ = false;
  std::string scratch_;
  std::map<std::string, adapter::ClaudeCall, std::less<>> calls_;  // that have no result yet
  Newest<std::string> calls_of_agents_{most_agents};               // the call that a sub-agent is, by the id of the sub-agent
  std::set<std::string, std::less<>> refused_;
  std::set<std::string, std::less<>> answered_;
  std::set<std::string, std::less<>> judged_;
};

// Whether an event may stand between turns: none that a turn would have to close.
bool stands_alone(const hub::EventBody& body);

// Whether more comes after a line that was too long to be read, by its beginning: a question or a result that was lost would be waited for
// for ever.
bool turn_goes_on_after(BytesView lost_line);

}  // namespace parlance::driver

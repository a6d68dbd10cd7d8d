// SPDX-License-Identifier: Apache-2.0
// The updates of an ACP session as events of a conversation. Sans-I/O: updates in, events out. One instance a session; loop thread only.
//
// What agents do differently ends here: calls that nobody announced, or that nobody ends (Gemini and Qwen after a refusal); several calls
// under one id; thoughts in <think> tags, cut anywhere; the arguments of a tool in its content; sub-agents; usage in an empty piece of text.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/adapter/acp/think_tags.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/protocol/acp/messages.h"

namespace parlance::driver {

// What was said and done, and not what a session is set to: a session that is taken up tells both again.
bool is_of_the_past(const acp::Update& told);

bool is_of_a_call(const acp::Update& told);

class AcpUpdates {
 public:
  // Who is told what an update means; called from inside `update`, `announce` and `end_turn`, and outlives the mapper.
  class Sink {
   public:
    virtual void emit(hub::EventBody body) = 0;
    virtual void user(std::string text) = 0;  // in a replay: the words of the person; in a live turn nobody needs them
    virtual void mode(const std::string& agent_mode) = 0;
    virtual void options(const std::vector<acp::ConfigOption>& options) = 0;
    virtual void title(const std::string& title) = 0;

   protected:
    ~Sink() = default;
  };
  explicit AcpUpdates(Sink& sink) : sink_(sink) {}

  void update(const acp::Update& told);
  // The call of a permission request: begins the call if the agent has not announced it, and reports changes. A second request under the
  // same id that is about something else ends the first call and begins another one. Returns the agent's id, for `find` and `refused`.
  std::string announce(const acp::ToolCallUpdate& call);
  void refused(const std::string& call);  // A person or a rule refused the call: it ends as rejected, whatever the agent reports.
  // The turn is over: reports all held text, ends an open thought, and ends each open call with `open_calls`.
  void end_turn(hub::ToolEndState open_calls);

  // What was told of a call so far, or null.
  struct Call {
    std::string id{};  // in events: the agent's id, with a number behind it if the agent uses the id again
    std::string tool{};
    std::string title{};
    std::string input_json{};
    std::string args_json{};  // rawInput as it was last told, if it held anything
    hub::CallKind kind = hub::CallKind::other;
    std::vector<acp::ToolContent> content{};
    std::vector<acp::ToolLocation> locations{};
    bool asked = false;  // a permission request was about it
    bool refused = false;
  };
  const Call* find(const std::string& id) const;

 private:
  struct Begun;
  void chunk(const acp::Chunk& chunk);
  void thought(const acp::Chunk& chunk);
  void tool(const acp::ToolCallUpdate& told, bool announced);
  void usage(const acp::UsageUpdate& told);
  void text(std::string_view words);
  void user(const acp::Chunk& chunk);
  void end_user();
  void begin_thinking();
  void end_thinking();
  void flush_tags();
  void start(Call& call, const acp::ToolCallUpdate& told);
  void change(Call& call, const acp::ToolCallUpdate& told);
  void end(const std::string& id, hub::ToolEndState state);
  unsigned uses(const std::string& id) const;
  std::optional<std::string> parent_of(const acp::ToolCallUpdate& told);
  const std::string& sub_agent(const std::string& agent_id);

  Sink& sink_;
  adapter::ThinkTags tags_;
  bool thinking_ = false;
  bool native_ = false;  // by thought chunks, and not by tags
  bool said_ = false;    // the last that was told is text of the agent
  std::string message_;  // which of its messages that is of, where it says so
  std::string user_;     // words of the person that may go on
  std::string user_message_;
  std::map<std::string, Call, std::less<>> open_;
  // Calls that ended in this turn and in the one before, by the agent's id, with the number of uses. Their late updates are ignored.
  std::map<std::string, unsigned, std::less<>> ended_;
  std::map<std::string, unsigned, std::less<>> ended_before_;
  std::map<std::string, std::string, std::less<>> sub_agents_;  // agent id -> the call that stands for it
  double cost_ = 0;                                             // of the session, as last told
};

}  // namespace parlance::driver

// SPDX-License-Identifier: Apache-2.0
// Converts the updates of an ACP session into events of a conversation. Sans-I/O: updates in, events out. One instance per
// session; loop thread only.
//
// The class hides differences between agents: calls without a begin, or without an end (Gemini and Qwen after a refusal), and
// several calls with the same id. Further differences: thoughts in <think> tags, split anywhere; the arguments of a tool in its
// content; sub-agents; usage in an empty piece of text.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/base/think_tags.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/protocol/acp/messages.h"

namespace parlance::hub {
struct EventBody;
}

namespace parlance::driver {

// Whether an update is history (messages and calls) rather than session state: a resumed session repeats both.
bool is_of_the_past(const acp::Update& update);

bool is_of_a_call(const acp::Update& update);

class AcpUpdates {
 public:
  // Receives the converted updates from inside `update`, `announce` and `end_turn`; must outlive the mapper.
  class Sink {
   public:
    virtual void emit(hub::EventBody body) = 0;
    virtual void user(std::string text) = 0;  // in a replay: the person's text; unused in a live turn
    virtual void mode(const std::string& agent_mode) = 0;
    virtual void options(const std::vector<acp::ConfigOption>& options) = 0;
    virtual void title(const std::string& title) = 0;

   protected:
    ~Sink() = default;
  };
  explicit AcpUpdates(Sink& sink) : sink_(sink) {}

  void begin_session() { cost_ = 0; }
  // An update that repeats a loaded session: earlier costs do not count again.
  void note_history(const acp::Update& update);
  void update(const acp::Update& notification);
  // The call of a permission request: begins the call if the agent has not announced it, and reports changes. A second request
  // under the same id that is about something else ends the first call and begins another one. Returns the agent's id, for `find`
  // and `refused`.
  std::string announce(const acp::ToolCallUpdate& call);
  void refused(const std::string& call);  // A person or a rule refused the call: it ends as rejected, whatever the agent reports.
  // The turn is over: reports all held text, ends an open thought, and ends each open call with `open_calls`.
  void end_turn(hub::ToolEndState open_calls);

  // The reported state of a call, or null.
  struct Call {
    std::string id{};  // in events: the agent's id, with a number behind it if the agent uses the id again
    std::string tool{};
    std::string title{};
    std::string input_json{};
    std::string args_json{};  // the last rawInput with content
    hub::CallKind kind = hub::CallKind::other;
    std::vector<acp::ToolContent> content{};
    std::vector<acp::ToolLocation> locations{};
    bool asked = false;  // a permission request named this call
    bool refused = false;
  };
  const Call* find(const std::string& id) const;

 private:
  struct Begun;
  void chunk(const acp::Chunk& chunk);
  void thought(const acp::Chunk& chunk);
  void tool(const acp::ToolCallUpdate& update, bool announced);
  void usage(const acp::UsageUpdate& report);
  void text(std::string_view words);
  void user(const acp::Chunk& chunk);
  void end_user();
  void begin_thinking();
  void end_thinking();
  void flush_tags();
  void add(const std::vector<ThinkPiece>& pieces);
  void start(Call& call, const acp::ToolCallUpdate& update);
  void change(Call& call, const acp::ToolCallUpdate& update);
  void end(const std::string& id, hub::ToolEndState state);
  unsigned uses(const std::string& id) const;
  std::optional<std::string> parent_of(const acp::ToolCallUpdate& update);
  const std::string& sub_agent(const std::string& agent_id);

  Sink& sink_;
  ThinkTags tags_{ThinkTags::Blocks::anywhere};
  bool thinking_ = false;
  bool native_ = false;  // thinking by thought chunks instead of tags
  bool said_ = false;    // the last event is text of the agent
  std::string message_;  // id of the message of this text, if reported
  std::string user_;     // text of the person that may continue
  std::string user_message_;
  std::map<std::string, Call, std::less<>> open_;
  // Calls that ended in this turn and in the one before, by the agent's id, with the number of uses. Their late updates are
  // ignored.
  std::map<std::string, unsigned, std::less<>> ended_;
  std::map<std::string, unsigned, std::less<>> ended_before_;
  std::map<std::string, std::string, std::less<>> sub_agents_;  // agent id -> call of the sub-agent
  double cost_ = 0;                                             // of the session, last reported value
};

}  // namespace parlance::driver

// SPDX-License-Identifier: Apache-2.0
// Converts the events of a conversation into updates for a client, one after the other. A fold without I/O; a client that loads a
// session gets the same updates from the first event on. Loop thread only.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/usage.h"
#include "parlance/protocol/acp/prompt.h"
#include "parlance/protocol/acp/update.h"

namespace parlance::hub {
struct Event;
}

namespace parlance::face {

struct AcpUpdateSettings {
  bool iflow = false;    // adds tool names under iFlow's member, and no Markdown around tool output
  bool notices = false;  // supported by the client
};

class AcpUpdates {
 public:
  // Pictures of calls, by id; a missing picture becomes a link.
  using Pictures = std::map<std::string, hub::Attachment>;

  explicit AcpUpdates(AcpUpdateSettings settings = {}) : settings_(settings) {}

  std::vector<acp::Update> of(const hub::Event& event, const Pictures& pictures = {});
  // The known state of a call for a permission: complete, because the client may not know the call.
  acp::ToolCallUpdate call(const std::string& id) const;
  // Usage of the turn that has just ended; no value without a report. Resets the sum.
  std::optional<acp::TurnUsage> take_usage();

 private:
  struct Call {
    acp::ToolCallUpdate sent{};  // status, title, kind, input, locations and content, without its output
    std::string output{};
    std::size_t output_sent = 0;  // bytes sent to the client
    std::size_t output_cut = 0;   // dropped bytes at the beginning
    std::string ask{};            // the ask that blocks it
  };
  using Updates = std::vector<acp::Update>;

  template <class Kind>
  void take(const Kind& event, Updates& out);
  void say(Updates& out, std::string text, bool thought);
  void begin(const hub::event::ToolStart& start, Updates& out);
  void change(const hub::event::ToolUpdate& update, const Pictures& pictures, Updates& out);
  void print(const hub::event::ToolOutput& piece, Updates& out);
  void end(const hub::event::ToolEnd& event, Updates& out);
  void asked(const hub::Ask& ask, acp::ToolKind kind, Updates& out);
  void settled(const hub::event::AskSettled& event, Updates& out);
  void count(const hub::event::Usage& usage, Updates& out);
  void notice(std::string severity, std::string title, std::string description, Updates& out);
  std::vector<acp::ToolContent> shown(const Call& call) const;

  AcpUpdateSettings settings_;
  std::map<std::string, Call> calls_;           // without an end
  std::map<std::string, std::string> ask_of_;   // asks without a call, shown as calls: ask -> ask
  std::map<std::string, std::string> call_of_;  // open asks and their waiting calls
  std::uint64_t seq_ = 0;                       // of the current event
  std::string message_{};                       // id of the growing message; empty: the next piece begins a message
  bool thinks_ = false;                         // … is a thought
  std::map<std::string, double> cost_;          // of the session, by currency
  std::optional<acp::TurnUsage> usage_;         // of the turn
};

// A diff of one file for its client.
acp::ToolContent acp_diff(const hub::Diff& diff);
acp::ToolContent acp_tool_text(std::string text);
// A Markdown block that its content cannot end.
std::string fenced(const std::string& text);

// The error reply to a prompt with a failed turn; no value: unknown reason.
Error acp_error(const std::optional<hub::event::Failure>& failure);

}  // namespace parlance::face

// SPDX-License-Identifier: Apache-2.0
// What a client is told of a session: updates, made of the events of its conversation, one after the other. A fold over events without
// I/O; a client that loads a session gets the same updates from the first event on. Loop thread only.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/protocol/acp/prompt.h"
#include "parlance/protocol/acp/update.h"

namespace parlance::face {

struct AcpUpdateSettings {
  bool iflow = false;    // names of tools under iFlow's member too, and no Markdown around what a tool printed
  bool notices = false;  // the client shows them
};

class AcpUpdates {
 public:
  // Of calls, by their id; what is not there becomes a link.
  using Pictures = std::map<std::string, hub::Attachment>;

  explicit AcpUpdates(AcpUpdateSettings settings = {}) : settings_(settings) {}

  std::vector<acp::Update> of(const hub::Event& event, const Pictures& pictures = {});
  // A call as far as it is known, for a permission: everything that a client may never have heard.
  std::vector<acp::Update> open_calls() const;  // each as a whole, for a client that has not heard of it
  acp::ToolCallUpdate call(const std::string& id) const;
  // Of the turn that has just ended; nothing when its agent counts nothing. Begins anew.
  std::optional<acp::TurnUsage> take_usage();

 private:
  struct Call {
    acp::ToolCallUpdate told{};  // status, title, kind, input, places, and what it has to show but for its output
    std::string output{};
    std::size_t output_told = 0;  // bytes of it that the client has seen
    std::size_t output_cut = 0;   // bytes of its beginning that are kept nowhere
    std::string ask{};            // that it waits for
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
  std::map<std::string, Call> calls_;           // that have not ended
  std::map<std::string, std::string> ask_of_;   // asks about no call, which the client sees as calls: ask -> ask
  std::map<std::string, std::string> call_of_;  // open asks and the calls that wait for them
  std::uint64_t seq_ = 0;                       // of the event at hand
  std::string message_{};                       // id of the message that grows; empty: the next piece begins one
  bool thinks_ = false;                         // … which is a thought
  std::map<std::string, double> cost_;          // of the session, by currency
  std::optional<acp::TurnUsage> usage_;         // of the turn
};

// A diff of one file as its client sees it.
acp::ToolContent acp_diff(const hub::Diff& diff);
acp::ToolContent acp_tool_text(std::string text);
// As a block of Markdown that nothing in it can end.
std::string fenced(const std::string& text);

// The error reply to a prompt whose turn failed; nothing: no reason is known.
Error acp_error(const std::optional<hub::event::Failure>& failure);

}  // namespace parlance::face

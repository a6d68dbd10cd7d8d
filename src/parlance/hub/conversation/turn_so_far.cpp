// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/conversation/turn_so_far.h"

#include <algorithm>
#include <variant>

#include "parlance/hub/conversation/event.h"

namespace parlance::hub {
namespace {

// Visits the events with an effect on the state.
struct Seen {
  TurnSoFar& turn;
  const std::string& time;

  OpenCall* find(const std::string& id) const {
    const auto found = std::ranges::find(turn.calls, id, [](const OpenCall& call) { return call.call.id; });
    return found == turn.calls.end() ? nullptr : &*found;
  }
  void forget_answer() const {
    turn.text.clear();
    turn.thought.clear();
    turn.usage = false;
  }

  void operator()(const event::TurnStart& start) const {
    turn = {};
    turn.by = start.by.value_or("");
    turn.options = start.options.value_or(PromptOptions{});
    turn.began = time;
  }
  void operator()(const event::UserMessage& said) const {
    turn.by = said.by.value_or("");
    turn.attachments = said.attachments.value_or(std::vector<AttachmentInfo>{});
  }
  void operator()(const event::Text& piece) const { turn.text += piece.text; }
  void operator()(const event::ThinkingStart&) const {
    turn.thinking = true;
    turn.thinking_since = time;
  }
  void operator()(const event::ThinkingContent& piece) const { turn.thought += piece.text; }
  void operator()(const event::ThinkingEnd&) const { turn.thinking = false; }
  void operator()(const event::Usage&) const { turn.usage = turn.reported_usage = true; }
  void operator()(const event::Failure& failure) const {
    if (failure.code == answers_anew) forget_answer();
  }
  void operator()(const event::ToolStart& start) const {
    if (start.parent) return;  // of a sub-agent
    if (turn.calls.empty()) ++turn.answers;
    turn.calls.push_back({.call = {.id = start.call, .tool = start.tool, .arguments_json = start.input_json}});
  }
  void operator()(const event::ToolUpdate& update) const {
    OpenCall* const call = find(update.call);
    if (call == nullptr) return;
    if (update.input_json) call->call.arguments_json = *update.input_json;
    call->begun = call->begun || update.status == CallStatus::running;
  }
  void operator()(const event::ToolOutput& output) const {
    if (OpenCall* const call = find(output.call)) call->begun = true;
  }
  void operator()(const event::ToolEnd& end) const {
    std::erase_if(turn.calls, [&](const OpenCall& call) { return call.call.id == end.call; });
    std::erase_if(turn.asks, [&](const Ask& ask) { return ask.call == end.call; });
    forget_answer();
  }
  void operator()(const event::ToolConfirmation& asked) const { turn.asks.push_back(asked.ask); }
  void operator()(const event::UserQuestion& asked) const { turn.asks.push_back(asked.ask); }
  void operator()(const event::PlanApproval& asked) const { turn.asks.push_back(asked.ask); }

  // Events without an effect on a continued turn.
  void operator()(const event::AskSettled&) const {}  // the ask's row has the result
  void operator()(const event::Plan&) const {}
  void operator()(const event::ModeChanged&) const {}
  void operator()(const event::OptionChanged&) const {}
  void operator()(const event::Commands&) const {}
  void operator()(const event::Cleared&) const {}
  void operator()(const event::Notice&) const {}
  void operator()(const event::TurnEnd&) const {}
};

}  // namespace

void TurnSoFar::see(const Event& event) {
  std::visit(Seen{*this, event.time}, static_cast<const AnyEvent&>(event.body));
  last = event.time;
}

}  // namespace parlance::hub

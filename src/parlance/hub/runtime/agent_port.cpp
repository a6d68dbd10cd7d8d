// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/agent_port.h"

#include <exception>
#include <set>
#include <utility>

#include "parlance/base/holds.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/conversation/usage.h"

namespace parlance::hub {
namespace {

// Events that only the hub writes: begin and end of turns, and asks.
bool is_the_hubs(const EventBody& body) {
  return holds<event::TurnStart, event::UserMessage, event::ToolConfirmation, event::UserQuestion, event::PlanApproval,
               event::AskSettled, event::TurnEnd, event::OptionChanged, event::Cleared>(body);
}

// Events that need a later end. A turn writes the end if its agent does not.
bool opens(const EventBody& body) {
  return holds<event::ThinkingStart, event::ThinkingContent, event::ThinkingEnd, event::ToolStart>(body);
}

}  // namespace

std::shared_ptr<ConversationRuntime> AgentPort::runtime() const {
  const auto runtime = runtime_.lock();
  const bool is_current = runtime && !runtime->removing && (agent_ == nullptr || runtime->agent.get() == agent_);
  return is_current ? runtime : nullptr;
}

bool AgentPort::emit(EventBody body) {
  const auto active = runtime();
  if (!active || is_the_hubs(body)) return false;
  if (active->turn) {
    active->turn->emit(std::move(body));
    return true;
  }
  if (opens(body)) return false;
  if (const auto* usage = std::get_if<event::Usage>(&body)) parts_.spending.count(*active, spent_in(*usage));
  if (const auto* mode = std::get_if<event::ModeChanged>(&body)) set_mode(mode->mode);
  else active->log.append(std::move(body));
  return true;
}

void AgentPort::set_mode(Mode mode) {
  if (const auto active = runtime(); active && !is_raised(active->current.mode, mode)) parts_.reports.set_mode(*active, mode);
}

void AgentPort::set_options(std::vector<AgentOption> options) {
  if (const auto active = runtime()) parts_.reports.set_options(*active, std::move(options));
}

void AgentPort::set_title(std::string title) {
  const auto active = runtime();
  if (!active || active->current.named) return;
  std::string line = title_of(title);
  if (line.empty() || line == active->current.title) return;
  active->current.title = std::move(line);
  active->touch();
}

void AgentPort::set_agent_session(std::string id) {
  if (const auto active = runtime()) parts_.reports.set_agent_session(*active, std::move(id));
}

bool AgentPort::congested() const {
  const auto active = runtime();
  return active && active->log.unwritten_bytes() > limits::unwritten_event_bytes;
}

Task<Result<void>> AgentPort::written() {
  if (const auto active = runtime()) co_return co_await active->log.written();
  co_return Result<void>{};
}

const SessionSetup& AgentPort::setup() const {
  const auto active = runtime_.lock();
  return active ? active->current : last_;  // the hub's runtimes keep the reference valid
}

Task<Result<AskAnswer>> AgentPort::ask(AskRequest request) {
  const auto active = runtime();
  if (!active) co_return AskAnswer{.state = AskState::cancelled, .by = "agent", .why = "the conversation is gone"};
  if (active->turn) co_return co_await active->turn->ask_to_write(std::move(request));
  Decision decision{.effect = Effect::ask, .why = "it is no question of policy"};
  if (request.intent) {
    PARLANCE_CO_TRY(now, co_await parts_.settings.decide_now(*active, request.tool.value_or(""), *request.intent));
    decision = std::move(now);
  }
  if (decision.effect == Effect::ask)
    co_return AskAnswer{
        .state = AskState::cancelled, .by = "agent", .why = "nobody can be asked while no turn runs (" + decision.why + ")"};
  parts_.settings.count_use(*active, decision, request.title.empty() && request.intent ? request.intent->title : request.title);
  co_return answer_of(request.options, decision);
}

OpenedAgent::OpenedAgent(const TurnParts& parts, const std::shared_ptr<ConversationRuntime>& runtime)
    : port(parts, runtime),
      workspace(parts.core.settings.workspace ? parts.core.settings.workspace(port) : absent_workspace()),
      editor(parts.core.settings.editor ? parts.core.settings.editor(runtime->current) : nullptr) {}

// ---- adopted sessions ------------------------------------------------------------------------------------------------------

void Replay::begin_turn() {
  turn_ = core_.settings.new_id("turn_");
  runtime_.log.append(event::TurnStart{.turn = turn_});
}

void Replay::user(std::string text, std::vector<Attachment> attachments) {
  finish();
  begin_turn();
  if (runtime_.current.title.empty()) {
    runtime_.current.title = title_of(text);
    runtime_.touch();
  }
  event::UserMessage said{.turn = turn_, .text = std::move(text)};
  for (Attachment& attachment : attachments) {
    attachment.about.id = core_.settings.new_id("attachment_");
    attachment.about.bytes = attachment.data.size();
    if (!said.attachments) said.attachments.emplace();
    said.attachments->push_back(attachment.about);
    runtime_.log.put(std::move(attachment));
  }
  runtime_.log.append(std::move(said));
}

bool Replay::emit(EventBody body) {
  if (is_the_hubs(body) || holds<event::ModeChanged>(body)) return false;
  if (turn_.empty()) begin_turn();  // a session may begin with a message of the agent
  open_.see(body);
  runtime_.log.append(std::move(body));
  return true;
}

void Replay::set_title(std::string title) {
  if (runtime_.current.named || title_of(title).empty()) return;
  runtime_.current.title = title_of(title);
  runtime_.touch();
}

bool Replay::congested() const { return runtime_.log.unwritten_bytes() > limits::unwritten_event_bytes; }

void Replay::finish() {
  const UnfinishedTurn open = std::exchange(open_, {});
  if (open.thinking) runtime_.log.append(event::ThinkingEnd{});
  for (const std::string& call : open.calls) runtime_.log.append(event::ToolEnd{.call = call, .state = ToolEndState::cancelled});
  if (!turn_.empty()) runtime_.log.append(event::TurnEnd{.turn = std::exchange(turn_, {})});
}

}  // namespace parlance::hub

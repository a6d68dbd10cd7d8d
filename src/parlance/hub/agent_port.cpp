// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/agent_port.h"

#include <exception>
#include <set>
#include <utility>

#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/implementation.h"
#include "parlance/hub/limits.h"

namespace parlance::hub {
namespace {

// Events that only the hub writes: begin and end of turns, and asks.
bool is_the_hubs(const EventBody& body) {
  return std::holds_alternative<event::TurnStart>(body) || std::holds_alternative<event::UserMessage>(body) ||
         std::holds_alternative<event::ToolConfirmation>(body) || std::holds_alternative<event::UserQuestion>(body) ||
         std::holds_alternative<event::PlanApproval>(body) || std::holds_alternative<event::AskSettled>(body) ||
         std::holds_alternative<event::TurnEnd>(body) || std::holds_alternative<event::OptionChanged>(body) ||
         std::holds_alternative<event::Cleared>(body);
}

// Events that need a later end. A turn writes the end if its agent does not.
bool opens(const EventBody& body) {
  return std::holds_alternative<event::ThinkingStart>(body) || std::holds_alternative<event::ThinkingContent>(body) ||
         std::holds_alternative<event::ThinkingEnd>(body) || std::holds_alternative<event::ToolStart>(body);
}

}  // namespace

std::shared_ptr<Room> AgentPort::room() const {
  const auto room = room_.lock();
  const bool mine = room && !room->removing && (agent_ == nullptr || room->agent.get() == agent_);
  return mine ? room : nullptr;
}

bool AgentPort::emit(EventBody body) {
  const auto mine = room();
  if (!mine || is_the_hubs(body)) return false;
  if (mine->turn) {
    mine->turn->emit(std::move(body));
    return true;
  }
  if (opens(body)) return false;
  if (const auto* usage = std::get_if<event::Usage>(&body)) hub_.spending.count(*mine, spent_in(*usage));
  if (const auto* mode = std::get_if<event::ModeChanged>(&body)) set_mode(mode->mode);
  else mine->log.append(std::move(body));
  return true;
}

void AgentPort::set_mode(Mode mode) {
  if (const auto mine = room(); mine && !is_raised(mine->live.mode, mode)) hub_.turns.set_mode(*mine, mode);
}

void AgentPort::set_options(std::vector<AgentOption> options) {
  if (const auto mine = room()) hub_.turns.set_options(*mine, std::move(options));
}

void AgentPort::set_title(std::string title) {
  const auto mine = room();
  if (!mine || mine->live.named) return;
  std::string line = title_of(title);
  if (line.empty() || line == mine->live.title) return;
  mine->live.title = std::move(line);
  hub_.touch(*mine);
}

void AgentPort::set_native_session(std::string id) {
  if (const auto mine = room()) hub_.turns.set_native_session(*mine, std::move(id));
}

bool AgentPort::congested() const {
  const auto mine = room();
  return mine && mine->log.unwritten_bytes() > limits::unwritten_event_bytes;
}

Task<Result<void>> AgentPort::written() {
  if (const auto mine = room()) co_return co_await mine->log.written();
  co_return Result<void>{};
}

const Conversation& AgentPort::conversation() const {
  const auto mine = room_.lock();
  return mine ? mine->live : last_;  // the hub's rooms keep the reference valid
}

Task<Result<AskAnswer>> AgentPort::ask(AskRequest request) {
  const auto mine = room();
  if (!mine) co_return AskAnswer{.state = AskState::cancelled, .by = "agent", .why = "the conversation is gone"};
  if (mine->turn) co_return co_await mine->turn->ask_to_write(std::move(request));
  Decision decision{.effect = Effect::ask, .why = "it is no question of policy"};
  if (request.intent) {
    PARLANCE_CO_TRY(now, co_await hub_.shared_settings.decide_now(*mine, request.tool.value_or(""), *request.intent));
    decision = std::move(now);
  }
  if (decision.effect == Effect::ask)
    co_return AskAnswer{
        .state = AskState::cancelled, .by = "agent", .why = "nobody can be asked while no turn runs (" + decision.why + ")"};
  hub_.shared_settings.count_use(*mine, decision,
                                 request.title.empty() && request.intent ? request.intent->title : request.title);
  co_return answer_of(request.options, decision);
}

Task<Result<AskAnswer>> RunningTurn::ask_to_write(AskRequest request) {
  if (request.intent && !cancelled() && decide(request.tool.value_or(""), *request.intent).effect == Effect::ask &&
      allowed_edits_.take(*request.intent, hub_.loop.now()))
    co_return AskAnswer{.kind = OptionKind::allow_once, .by = "person", .why = "this very change was allowed a moment ago"};
  const std::optional<ToolIntent> intent = request.intent;
  PARLANCE_CO_TRY(answer, co_await ask(std::move(request)));
  if (intent && answer.allowed()) allowed_edits_.take(*intent, hub_.loop.now());  // the agent makes this edit now
  co_return answer;
}

OpenedAgent::OpenedAgent(Hub::Implementation& hub, const std::shared_ptr<Room>& room)
    : port(hub, room),
      workspace(hub.settings.workspace ? hub.settings.workspace(port) : absent_workspace()),
      editor(hub.settings.editor ? hub.settings.editor(room->live) : nullptr) {}

Task<Result<std::shared_ptr<Agent>>> TurnRunner::agent_of(std::shared_ptr<Room> room) {
  while (room->renewal.closing) co_await room->idle.wait();  // the previous agent owns the session until its end
  if (!room->agent) {
    const auto opener = hub_.provider(room->live.agent);
    if (opener == nullptr) co_return fail(Errc::not_found, "no such agent: " + room->live.agent);
    const auto opened = std::make_shared<OpenedAgent>(hub_, room);
    opened->provider = opener;
    PARLANCE_CO_TRY(agent, co_await opener->open(room->live, opened->host()));
    opened->agent = std::move(agent);
    // otherwise another caller opened an agent first
    if (!room->agent) room->agent = std::shared_ptr<Agent>(opened, opened->agent.get());
    opened->port.is_of(*opened->agent);
  }
  co_return room->agent;
}

// ---- adopted sessions ------------------------------------------------------------------------------------------------------

void Replay::begin_turn() {
  turn_ = hub_.settings.new_id("turn_");
  room_.log.append(event::TurnStart{.turn = turn_});
}

void Replay::user(std::string text, std::vector<Attachment> attachments) {
  finish();
  begin_turn();
  if (room_.live.title.empty()) {
    room_.live.title = title_of(text);
    hub_.touch(room_);
  }
  event::UserMessage said{.turn = turn_, .text = std::move(text)};
  for (Attachment& one : attachments) {
    one.about.id = hub_.settings.new_id("attachment_");
    one.about.bytes = one.data.size();
    if (!said.attachments) said.attachments.emplace();
    said.attachments->push_back(one.about);
    room_.log.put(std::move(one));
  }
  room_.log.append(std::move(said));
}

void Replay::emit(EventBody body) {
  if (is_the_hubs(body) || std::holds_alternative<event::ModeChanged>(body)) return;
  if (turn_.empty()) begin_turn();  // a session may begin with a message of the agent
  open_.see(body);
  room_.log.append(std::move(body));
}

void Replay::set_title(std::string title) {
  if (room_.live.named || title_of(title).empty()) return;
  room_.live.title = title_of(title);
  hub_.touch(room_);
}

bool Replay::congested() const { return room_.log.unwritten_bytes() > limits::unwritten_event_bytes; }

void Replay::finish() {
  const LeftOpen open = std::exchange(open_, {});
  if (open.thinking) room_.log.append(event::ThinkingEnd{});
  for (const std::string& call : open.calls) room_.log.append(event::ToolEnd{.call = call, .state = ToolEndState::cancelled});
  if (!turn_.empty()) room_.log.append(event::TurnEnd{.turn = std::exchange(turn_, {})});
}

namespace {

// The session id of an agent with a conversation here. A forked session still belongs to the agent alone.
std::string_view goes_on_with(const PackedStart& conversation, std::string_view agent) {
  const bool its = conversation.agent == agent && conversation.how == NativeSession::How::resume;
  return its ? conversation.native_session : std::string_view();
}

}  // namespace

Task<Result<std::vector<KeptSession>>> Hub::kept_sessions(std::string agent, std::string folder) {
  const auto keeper = implementation_->provider(agent);
  if (keeper == nullptr) co_return fail(Errc::not_found, "no such agent: " + agent);
  PARLANCE_CO_TRY(kept, co_await keeper->sessions(std::move(folder)));
  std::set<std::string, std::less<>> known;
  implementation_->rooms.visit([&](const PackedStart& one) { known.emplace(goes_on_with(one, agent)); });
  std::erase_if(kept, [&](const KeptSession& session) { return known.contains(session.id); });
  for (KeptSession& session : kept) session.title = title_of(session.title);
  co_return kept;
}

Task<Result<FilesFound>> Hub::find_files(std::string agent, FilesWanted wanted) {
  const auto there = implementation_->provider(agent);
  if (there == nullptr) co_return fail(Errc::not_found, "no such agent: " + agent);
  co_return co_await there->find_files(std::move(wanted));
}

Task<Result<Conversation>> Hub::adopt(NewConversation request, std::string native_session) {
  Implementation& self = *implementation_;
  if (native_session.empty()) co_return fail(Errc::invalid_params, "the session has no name");
  PARLANCE_CO_TRY(there, co_await self.create_there(request, native_session));
  if (there) co_return *std::move(there);
  std::string continued;
  self.rooms.visit([&](const PackedStart& one) {
    if (continued.empty() && goes_on_with(one, request.agent) == native_session) continued = one.id;
  });
  if (!continued.empty()) {
    const Conversation& one = self.find_room(continued)->live;
    if (one.is_of(request.user.value_or(""))) co_return one;
    co_return fail(Errc::not_found, "no such session: " + native_session);
  }
  PARLANCE_CO_TRY(room, co_await self.make_room(std::move(request), {.id = std::move(native_session)}));
  const Result<void> told = co_await self.turns.replay(room);
  room->replaying = false;
  if (room->renewal.outdated) self.turns.renew(room);
  room->idle.notify_all();
  if (!told) {
    static_cast<void>(co_await submit(room->live.id, RemoveConversation{}));  // not_found: another caller removed it first
    co_return std::unexpected(told.error());
  }
  self.turns.next_in_queue(room);
  co_return room->live;
}

Task<Result<void>> TurnRunner::replay(std::shared_ptr<Room> room) {
  PARLANCE_CO_TRY(agent, co_await agent_of(room));
  Replay said(hub_, *room);
  Result<void> told;
  try {
    told = co_await agent->resume(said);
  } catch (const std::exception& bug) {
    told = fail(Errc::internal, std::string("the agent's driver failed: ") + bug.what());
  }
  said.finish();
  PARLANCE_CO_TRY_DO(co_await room->log.written());
  co_return told;
}

}  // namespace parlance::hub

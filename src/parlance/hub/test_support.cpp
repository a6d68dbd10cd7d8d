// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/test_support.h"

#include <string_view>
#include <variant>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/commit.h"

namespace parlance::hub::test {
namespace {

struct TraceName {
  std::string_view operator()(const event::TurnStart&) const { return "turn_start"; }
  std::string_view operator()(const event::UserMessage&) const { return "user"; }
  std::string_view operator()(const event::Text&) const { return "text"; }
  std::string_view operator()(const event::ThinkingStart&) const { return "think_start"; }
  std::string_view operator()(const event::ThinkingContent&) const { return "think"; }
  std::string_view operator()(const event::ThinkingEnd&) const { return "think_end"; }
  std::string_view operator()(const event::ToolStart&) const { return "tool_start"; }
  std::string_view operator()(const event::ToolUpdate&) const { return "update"; }
  std::string_view operator()(const event::ToolOutput&) const { return "output"; }
  std::string_view operator()(const event::ToolEnd&) const { return "tool_end"; }
  std::string_view operator()(const event::ToolConfirmation&) const { return "confirm"; }
  std::string_view operator()(const event::UserQuestion&) const { return "question"; }
  std::string_view operator()(const event::PlanApproval&) const { return "plan?"; }
  std::string_view operator()(const event::AskSettled&) const { return "settled"; }
  std::string_view operator()(const event::Plan&) const { return "plan"; }
  std::string_view operator()(const event::Usage&) const { return "usage"; }
  std::string_view operator()(const event::ModeChanged&) const { return "mode"; }
  std::string_view operator()(const event::OptionChanged&) const { return "option"; }
  std::string_view operator()(const event::Commands&) const { return "commands"; }
  std::string_view operator()(const event::Cleared&) const { return "cleared"; }
  std::string_view operator()(const event::Failure&) const { return "error"; }
  std::string_view operator()(const event::TurnEnd&) const { return "turn_end"; }
  std::string_view operator()(const event::Notice&) const { return "notice"; }
  template <class New>
  std::string_view operator()(const New&) const {
    return "other";
  }
};

}  // namespace

MemoryStore::MemoryStore(Loop& loop)
    : InMemoryStore([](const Event& event) { return std::to_string(event.seq); }), changed(loop) {}
MemoryStore::~MemoryStore() = default;

Task<Result<void>> MemoryStore::write(CommitPtr change) {
  while (held) co_await changed.wait();
  ++attempts;
  if (failing) co_return fail(Errc::failed, "no space is left");
  ++commits;
  co_return co_await InMemoryStore::write(std::move(change));
}

Task<Result<std::vector<Event>>> MemoryStore::events(std::string conversation, std::uint64_t after, std::uint64_t before,
                                                     std::size_t limit) {
  auto found = co_await InMemoryStore::events(std::move(conversation), after, before, limit);
  while (reads_held) co_await changed.wait();
  co_return found;
}

Task<Result<std::optional<Ask>>> MemoryStore::ask(std::string id) {
  if (failing_asks == 0) co_return co_await InMemoryStore::ask(std::move(id));
  --failing_asks;
  co_return fail(Errc::failed, "the disk cannot be read");
}

Task<Result<Spent>> MemoryStore::spent_in(std::string conversation) {
  if (unreadable) co_return fail(Errc::failed, "the disk cannot be read");
  co_return co_await InMemoryStore::spent_in(std::move(conversation));
}

Task<Result<std::vector<Event>>> MemoryStore::events_after(std::string conversation, std::uint64_t after, std::uint64_t last,
                                                           std::size_t most_bytes) {
  ++forward_reads;
  auto found = co_await InMemoryStore::events_after(std::move(conversation), after, last, most_bytes);
  while (reads_held) co_await changed.wait();
  if (unreadable) co_return fail(Errc::failed, "the disk cannot be read");
  co_return found;
}

Conversation MemoryStore::row(const std::string& id) const { return conversations_.at(id).unpack(); }
std::vector<Conversation> MemoryStore::rows() const {
  std::vector<Conversation> all;
  for (const auto& [id, row] : conversations_) all.push_back(row.unpack());
  return all;
}
void MemoryStore::set_agent_session(const std::string& id, std::string session) {
  Conversation changed = row(id);
  changed.agent_session = {.id = std::move(session)};
  put(changed);
}
void MemoryStore::put(const Conversation& row) { conversations_.insert_or_assign(row.id, row); }

std::string_view trace_name(const EventBody& body) { return std::visit(TraceName{}, static_cast<const AnyEvent&>(body)); }

bool is_idle(const Hub& hub, std::string_view conversation) { return hub.find(conversation)->state == ConversationState::idle; }

std::string create(Loop& loop, Hub& hub, NewConversation request) {
  const Result<Conversation> made = loop.block_on(hub.create(std::move(request)));
  PARLANCE_CHECK(made, "a conversation");
  return made->id;
}

std::string Bench::trace(const std::string& id) const {
  std::string line;
  if (const auto log_of = store.logs.find(id); log_of != store.logs.end()) {
    for (const Event& event : log_of->second) {
      if (!line.empty()) line += ' ';
      line += trace_name(event.body);
      if (const auto* end = std::get_if<event::TurnEnd>(&event.body); end != nullptr && end->stop_reason != StopReason::end_turn)
        line += end->stop_reason == StopReason::cancelled ? ":cancelled" : ":error";
      if (const auto* end = std::get_if<event::ToolEnd>(&event.body); end != nullptr && end->state == ToolEndState::cancelled)
        line += ":cancelled";
      if (const auto* settled = std::get_if<event::AskSettled>(&event.body)) line += ":" + std::string(to_string(settled->state));
    }
  }
  return line;
}

}  // namespace parlance::hub::test

// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/log/unfinished_turn.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "parlance/base/clock.h"
#include "parlance/base/holds.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/commit.h"
#include "parlance/hub/log/packed.h"

namespace parlance::hub {
namespace {

constexpr std::size_t part_events = 2000;
constexpr std::size_t part_bytes = 1 << 20;

// The newest matching event up to `last`; number 0 if none matches.
Task<Result<Event>> newest(Store& store, std::string conversation, std::uint64_t last, std::function<bool(const Event&)> fits) {
  for (std::uint64_t before = last + 1; before > 1;) {
    PARLANCE_CO_TRY(events, co_await store.events(conversation, 0, before, part_events));
    const auto found = std::find_if(events.rbegin(), events.rend(), fits);
    if (found != events.rend()) co_return std::move(*found);
    before = events.empty() ? 1 : events.front().seq;
  }
  co_return Event{};
}

// In parts, so that a log of any length can be read.
Task<Result<void>> read_behind(Store& store, std::string conversation, std::uint64_t seen, std::uint64_t last,
                               std::function<void(const Event&)> see) {
  while (seen < last) {
    PARLANCE_CO_TRY(events, co_await store.events_after(conversation, seen, last, part_bytes));
    if (events.empty()) break;
    for (const Event& event : events) see(event);
    seen = events.back().seq;
  }
  co_return Result<void>{};
}

Task<Result<void>> read_last_turn(Store& store, std::string conversation, std::uint64_t last,
                                  std::function<void(const Event&)> see) {
  const auto begins = [](const Event& event) { return std::holds_alternative<event::TurnStart>(event.body); };
  PARLANCE_CO_TRY(begin, co_await newest(store, conversation, last, begins));
  const std::uint64_t seen = std::max<std::uint64_t>(begin.seq, 1) - 1;
  co_return co_await read_behind(store, std::move(conversation), seen, last, std::move(see));
}

// A fold over the events behind a message: whether limits held its turn and all ended turns since.
struct HeldTurns {
  bool is_held = false;  // the present turn
  bool ended = false;    // a held turn
  bool passed = false;   // a turn was not held, or a person answered
  void see(const EventBody& body) {
    const auto* const asked = std::get_if<event::ToolConfirmation>(&body);
    const auto* const settled = std::get_if<event::AskSettled>(&body);
    if (std::holds_alternative<event::TurnStart>(body)) is_held = false;
    else if (asked != nullptr && asked->ask.kind == AskKind::limit) is_held = true;
    else if (std::holds_alternative<event::TurnEnd>(body)) (is_held ? ended : passed) = true;
    else if (settled != nullptr) passed = passed || settled->state == AskState::answered;
    else passed = passed || holds<event::Text, event::ThinkingStart, event::ThinkingContent, event::ToolStart>(body);
  }
};

// Merges an update into the call's start.
void complete(event::ToolStart& start, const Event& event) {
  const auto* update = std::get_if<event::ToolUpdate>(&event.body);
  if (update == nullptr || update->call != start.call) return;
  if (update->title) start.title = *update->title;
  if (update->input_json) start.input_json = *update->input_json;
}

}  // namespace

void UnfinishedTurn::see(const EventBody& body) {
  if (const auto* call = std::get_if<event::ToolStart>(&body)) calls.insert(call->call);
  else if (const auto* end = std::get_if<event::ToolEnd>(&body)) calls.erase(end->call);
  else if (std::holds_alternative<event::ThinkingStart>(body)) thinking = true;
  else if (std::holds_alternative<event::ThinkingEnd>(body)) thinking = false;
}

Task<Result<void>> remove_abandoned(Store& store, Stored& stored) {
  const auto abandoned = std::ranges::partition(stored.conversations,
                                                [](const PackedConversation& conversation) { return !conversation.start().via; });
  for (const PackedConversation& conversation : abandoned) {
    const std::string id(conversation.id());
    PARLANCE_CO_TRY_DO(co_await store.remove_conversation(id));
    std::erase_if(stored.asks, [&](const Ask& ask) { return ask.conversation == id; });
    std::erase_if(stored.rules, [&](const Rule& rule) { return rule.conversation == id; });
  }
  stored.conversations.erase(abandoned.begin(), abandoned.end());
  co_return Result<void>{};
}

Task<Result<event::ToolStart>> newest_start(Store& store, std::string conversation, std::uint64_t last, std::string call) {
  const auto starts = [&call](const Event& event) {
    const auto* start = std::get_if<event::ToolStart>(&event.body);
    return start != nullptr && start->call == call;
  };
  PARLANCE_CO_TRY(found, co_await newest(store, conversation, last, starts));
  auto* const start_event = std::get_if<event::ToolStart>(&found.body);
  if (start_event == nullptr) co_return event::ToolStart{};
  event::ToolStart start = std::move(*start_event);
  PARLANCE_CO_TRY_DO(co_await read_behind(store, std::move(conversation), found.seq, last,
                                          [&start](const Event& event) { complete(start, event); }));
  co_return start;
}

Task<Result<event::UserMessage>> newest_message(Store& store, std::string conversation, std::uint64_t last) {
  const auto says = [](const Event& event) { return std::holds_alternative<event::UserMessage>(event.body); };
  PARLANCE_CO_TRY(found, co_await newest(store, conversation, last, says));
  auto* const said = std::get_if<event::UserMessage>(&found.body);
  co_return said == nullptr ? event::UserMessage{} : std::move(*said);
}

Task<Result<event::UserMessage>> held_message(Store& store, std::string conversation, std::uint64_t last) {
  const auto says = [](const Event& event) { return std::holds_alternative<event::UserMessage>(event.body); };
  PARLANCE_CO_TRY(found, co_await newest(store, conversation, last, says));
  auto* const said = std::get_if<event::UserMessage>(&found.body);
  if (said == nullptr) co_return event::UserMessage{};
  HeldTurns turns;
  PARLANCE_CO_TRY_DO(co_await read_behind(store, std::move(conversation), found.seq, last,
                                          [&turns](const Event& event) { turns.see(event.body); }));
  co_return turns.ended && !turns.passed ? std::move(*said) : event::UserMessage{};
}

Task<Result<UnfinishedTurn>> unfinished_turn(Store& store, std::string conversation, std::uint64_t last) {
  UnfinishedTurn open;
  std::optional<WallTime> began;
  std::optional<WallTime> ended;
  PARLANCE_CO_TRY_DO(co_await read_last_turn(store, std::move(conversation), last, [&](const Event& event) {
    open.see(event.body);
    if (!began) began = from_rfc3339(event.time);
    ended = from_rfc3339(event.time);
  }));
  if (began && ended && *ended > *began) open.duration = std::chrono::duration_cast<std::chrono::milliseconds>(*ended - *began);
  co_return open;
}

Task<Result<TurnSoFar>> turn_so_far(Store& store, std::string conversation, std::uint64_t last) {
  TurnSoFar turn;
  PARLANCE_CO_TRY_DO(co_await read_last_turn(store, std::move(conversation), last, [&](const Event& event) { turn.see(event); }));
  co_return turn;
}

}  // namespace parlance::hub

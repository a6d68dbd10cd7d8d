// SPDX-License-Identifier: Apache-2.0
// The events of a conversation: numbered from 1 without gaps, written before publication, immutable. A transcript is a fold over
// events. Values; any thread. The JSON form is in wire_form/event_tables.h.
//
// A new kind needs a struct here, an entry in AnyEvent and in event.cpp's weights, its table, and its display in the page
// (apps/web/src/transcript.ts). See docs/howto/add_an_event.md. The compilers report each forgotten place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "parlance/hub/conversation/act.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/conversation/plan.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/conversation/stop_reason.h"
#include "parlance/hub/conversation/tool_event.h"

namespace parlance::hub {

enum class NoticeLevel : std::uint8_t { info, warning, error };

// Frontends other than the page (parlance run, serve-claude, HTTP clients) handle each kind by name or ignore kinds with this
// marker. Such a frontend does not compile with a kind outside both groups.
template <class Kind>
concept ForPagesAlone = requires { requires Kind::for_pages_alone; };

// The price of a model call.
struct Cost {
  double amount = 0;
  std::string currency = "USD";  // ISO 4217
  friend bool operator==(const Cost&, const Cost&) = default;
};

struct ModelUsage {
  std::string model{};
  std::uint64_t input_tokens = 0;
  std::uint64_t output_tokens = 0;
  std::optional<std::uint64_t> cache_read_tokens{};
  std::optional<std::uint64_t> cache_write_tokens{};
  std::optional<Cost> cost{};
  friend bool operator==(const ModelUsage&, const ModelUsage&) = default;
};

// Used and total tokens of the model's context window.
struct ContextUse {
  std::uint64_t used = 0;  // tokens
  std::uint64_t size = 0;
  friend bool operator==(const ContextUse&, const ContextUse&) = default;
};

namespace event {

struct TurnStart {
  std::string turn{};
  std::optional<PromptOptions> options{};  // options for the agent from the frontend; absent: defaults
  // User::name of the user who started a turn without a message; absent: the person of this machine
  std::optional<std::string> by{};
  friend bool operator==(const TurnStart&, const TurnStart&) = default;
};
struct UserMessage {  // other frontends know their own prompts
  static constexpr bool for_pages_alone = true;
  std::string turn{};
  std::string text{};
  std::optional<std::vector<AttachmentInfo>> attachments{};
  std::optional<std::vector<PromptContext>> context{};
  std::optional<std::string> by{};  // User::name of the author; absent: the person of this machine
  friend bool operator==(const UserMessage&, const UserMessage&) = default;
};
struct Text {  // a piece: append to the text before it
  std::string text{};
  friend bool operator==(const Text&, const Text&) = default;
};
struct ThinkingStart {  // redundant for others: the first piece implies it
  static constexpr bool for_pages_alone = true;
  friend bool operator==(const ThinkingStart&, const ThinkingStart&) = default;
};
struct ThinkingContent {  // a piece
  std::string text{};
  friend bool operator==(const ThinkingContent&, const ThinkingContent&) = default;
};
struct ThinkingEnd {
  std::int64_t duration_ms = 0;
  friend bool operator==(const ThinkingEnd&, const ThinkingEnd&) = default;
};
struct ToolConfirmation {
  Ask ask{};
  friend bool operator==(const ToolConfirmation&, const ToolConfirmation&) = default;
};
struct UserQuestion {
  Ask ask{};
  friend bool operator==(const UserQuestion&, const UserQuestion&) = default;
};
struct PlanApproval {
  Ask ask{};
  friend bool operator==(const PlanApproval&, const PlanApproval&) = default;
};
struct AskSettled {
  std::string ask{};
  AskState state = AskState::answered;
  std::optional<std::string> chosen{};
  std::optional<std::string> text{};
  std::string by{};
  std::optional<std::string> edited{};  // the person's version of the proposal (Ask::editable); only this version was approved
  std::optional<std::string> rule{};    // Rule::id of the rule that this answer created
  friend bool operator==(const AskSettled&, const AskSettled&) = default;
};
struct Plan {
  std::vector<PlanEntry> entries{};
  friend bool operator==(const Plan&, const Plan&) = default;
};
// Of one model call or several. A turn adds up its usages, except `context`: the latest value counts.
struct Usage {
  std::uint64_t input_tokens = 0;  // all input, cached tokens included
  std::uint64_t output_tokens = 0;
  std::optional<std::uint64_t> cache_read_tokens{};   // part of the input; absent: the agent does not report it
  std::optional<std::uint64_t> cache_write_tokens{};  // …
  std::optional<Cost> cost{};
  std::optional<std::vector<ModelUsage>> models{};  // the same by model, if several models took part or the agent reports it
  std::optional<ContextUse> context{};
  friend bool operator==(const Usage&, const Usage&) = default;
};
struct ModeChanged {
  Mode mode = Mode::default_;
  std::optional<std::string> by{};  // User::name
  friend bool operator==(const ModeChanged&, const ModeChanged&) = default;
};
struct OptionChanged {  // kind "option"
  std::string id{};
  std::string name{};
  std::string value{};
  std::string by{};  // "person", "agent", User::name
  friend bool operator==(const OptionChanged&, const OptionChanged&) = default;
};
struct Commands {  // the complete list, each time
  std::vector<SlashCommand> commands{};
  friend bool operator==(const Commands&, const Commands&) = default;
};
// Every fold hides earlier events, and the agent forgets them; the log still has them.
struct Cleared {
  std::optional<std::string> by{};  // User::name
  friend bool operator==(const Cleared&, const Cleared&) = default;
};
struct Failure {  // kind "error"
  std::string code{};
  std::string message{};
  std::string detail{};
  bool retryable = false;
  friend bool operator==(const Failure&, const Failure&) = default;
};
// A message for people beside the answers of an agent, also between turns: the end of a background task, a limit close to its
// end. Also a person's action on the conversation (`act`), hidden from agents.
struct Notice {
  NoticeLevel level = NoticeLevel::info;
  std::string text{};
  std::string detail{};
  std::optional<Act> act{};
  friend bool operator==(const Notice&, const Notice&) = default;
};
struct TurnEnd {
  std::string turn{};
  StopReason stop_reason = StopReason::end_turn;
  std::int64_t duration_ms = 0;
  friend bool operator==(const TurnEnd&, const TurnEnd&) = default;
};

}  // namespace event

using AnyEvent = std::variant<event::TurnStart, event::UserMessage, event::Text, event::ThinkingStart, event::ThinkingContent,
                              event::ThinkingEnd, event::ToolStart, event::ToolUpdate, event::ToolOutput, event::ToolEnd,
                              event::ToolConfirmation, event::UserQuestion, event::PlanApproval, event::AskSettled, event::Plan,
                              event::Usage, event::ModeChanged, event::OptionChanged, event::Commands, event::Cleared,
                              event::Notice, event::Failure, event::TurnEnd>;

// AnyEvent with copy, move, comparison and destructor compiled once, in event.cpp. Otherwise each file that handles events would
// compile its own, which takes the compiler a second.
struct EventBody : AnyEvent {
  using AnyEvent::AnyEvent;
  using AnyEvent::operator=;
  EventBody();
  EventBody(const EventBody& other);
  EventBody(EventBody&& other) noexcept;
  EventBody& operator=(const EventBody& other);
  EventBody& operator=(EventBody&& other) noexcept;
  ~EventBody();
  friend bool operator==(const EventBody& a, const EventBody& b);
};

struct Event {
  std::uint64_t seq = 0;
  std::string time{};
  EventBody body{};
  friend bool operator==(const Event&, const Event&) = default;
};

// "1200 tokens in (800 of them from a cache), 30 out, 0.0040 USD"
std::string in_words(const event::Usage& usage);
// The message with its detail. A detail in JSON is for pages, which fold it, and is left out.
std::string failure_in_words(const event::Failure& failure);

// A notice of a person's action; the name may be absent.
event::Notice notice_of(std::string_view what, std::optional<std::string> value, const std::string& by);
// An action of the person of this machine: frontends other than the page ignore it.
inline bool is_own_act(const event::Notice& notice) { return notice.act && !notice.act->by; }

// Joins `next` to `before` when both are pieces of the same text, thought or tool output. False: they stay apart.
bool append_piece(EventBody& before, EventBody& next);
// The ask that an event contains, or null.
const Ask* ask_of(const EventBody& body);
// Bytes of text in an event: the measure of queues.
std::size_t weight_of(const EventBody& body);

}  // namespace parlance::hub

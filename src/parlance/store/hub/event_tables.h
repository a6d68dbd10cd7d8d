// SPDX-License-Identifier: Apache-2.0
// The JSON of the hub's types: what lies in the store, what goes to the page, and what `parlance run --json` prints. Hub structs know no
// JSON, so their tables stand here; docs/protocol/page.md and apps/web/src/protocol.ts are printed from them. Any thread.
//
// An event is described by its fields and by its `tag`, the `kind` of its JSON. One without either does not compile.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/store/hub/hub_tables.h"
#include "parlance/store/hub/tool_forms.h"
#include "parlance/wire/describe.h"

namespace parlance::store {

// {"seq":7,"time":"…","kind":"text","text":"…"}
std::string event_json(const hub::Event& event);
void append_event_json(std::string& out, const hub::Event& event);
Result<hub::Event> event_from_json(std::string_view text);
std::string_view kind_of(const hub::EventBody& body);

// What every event has beside the fields of its kind.
struct EventHead {
  std::uint64_t seq = 0;
  std::string time{};
  static constexpr auto wire = wire::fields(wire::field<&EventHead::seq>("seq", "Number in the conversation, from 1."),
                                            wire::field<&EventHead::time>("time", "RFC 3339, UTC."));
};
// The union of all events by `kind`, without their head. For descriptions: it is read and written by the functions above.
const wire::Type& event_type();

std::string conversation_json(const hub::Conversation& conversation);
std::string ask_json(const hub::Ask& ask);
std::string rule_json(const hub::Rule& rule);
std::string agent_json(const hub::AgentInfo& agent);
std::string service_json(const hub::ServiceInfo& service);

}  // namespace parlance::store

namespace parlance::wire {

// ---- bodies of events ------------------------------------------------------------------------------------------------

template <>
struct Describe<hub::event::TurnStart> {
  static constexpr std::string_view tag = "turn_start";
  using E = hub::event::TurnStart;
  static constexpr auto wire =
      fields(field<&E::turn>("turn", "Id of the turn."),
             field<&E::options>("options", "What its face wanted of the agent; absent: nothing special."),
             field<&E::by>("by", "Name of the user who wanted a turn without a message; absent: the person of this machine."));
};
template <>
struct Describe<hub::event::UserMessage> {
  static constexpr std::string_view tag = "user_message";
  using E = hub::event::UserMessage;
  static constexpr auto wire = fields(field<&E::turn>("turn", "The turn it began."), field<&E::text>("text", "What was written."),
                                      field<&E::attachments>("attachments", "What came with it."),
                                      field<&E::context>("context", "What the person looked at in an editor."),
                                      field<&E::by>("by", "Name of the user who wrote it; absent: the person of this machine."));
};
template <>
struct Describe<hub::event::Text> {
  static constexpr std::string_view tag = "text";
  static constexpr auto wire = fields(field<&hub::event::Text::text>("text", "A piece: append to the text before it."));
};
template <>
struct Describe<hub::event::ThinkingStart> {
  static constexpr std::string_view tag = "thinking_start";
  static constexpr std::array<Field, 0> wire{};
};
template <>
struct Describe<hub::event::ThinkingContent> {
  static constexpr std::string_view tag = "thinking_content";
  static constexpr auto wire = fields(field<&hub::event::ThinkingContent::text>("text", "A piece."));
};
template <>
struct Describe<hub::event::ThinkingEnd> {
  static constexpr std::string_view tag = "thinking_end";
  static constexpr auto wire = fields(field<&hub::event::ThinkingEnd::duration_ms>("duration_ms", "How long it took."));
};
template <>
struct Describe<hub::event::ToolStart> {
  static constexpr std::string_view tag = "tool_start";
  using Form = store::form::ToolStart;
};
template <>
struct Describe<hub::event::ToolUpdate> {
  static constexpr std::string_view tag = "tool_update";
  using Form = store::form::ToolUpdate;
};
template <>
struct Describe<hub::event::ToolOutput> {
  static constexpr std::string_view tag = "tool_output";
  using E = hub::event::ToolOutput;
  static constexpr auto wire = fields(field<&E::call>("call", "The call."), field<&E::text>("text", "A piece."),
                                      field<&E::progress>("progress", "True: how far it is; not part of what it says."));
};
template <>
struct Describe<hub::event::ToolEnd> {
  static constexpr std::string_view tag = "tool_end";
  using E = hub::event::ToolEnd;
  static constexpr auto wire = fields(field<&E::call>("call", "The call."), field<&E::state>("state", "How it ended."),
                                      field<&E::diff>("diff", "What it changed; version 0.1 only, now a tool_update tells it."));
};
template <>
struct Describe<hub::event::ToolConfirmation> {
  static constexpr std::string_view tag = "tool_confirmation";
  static constexpr auto wire = fields(field<&hub::event::ToolConfirmation::ask>("ask", "As it was asked."));
};
template <>
struct Describe<hub::event::UserQuestion> {
  static constexpr std::string_view tag = "user_question";
  static constexpr auto wire = fields(field<&hub::event::UserQuestion::ask>("ask", "As it was asked."));
};
template <>
struct Describe<hub::event::PlanApproval> {
  static constexpr std::string_view tag = "plan_approval";
  static constexpr auto wire = fields(field<&hub::event::PlanApproval::ask>("ask", "As it was asked."));
};
template <>
struct Describe<hub::event::AskSettled> {
  static constexpr std::string_view tag = "ask_settled";
  using E = hub::event::AskSettled;
  static constexpr auto wire =
      fields(field<&E::ask>("ask", "Its id."), field<&E::state>("state", "What became of it."),
             field<&E::chosen>("chosen", "Id of the chosen option."),
             field<&E::text>("text", "Feedback, or the answers in words."), field<&E::by>("by", "Who settled it."),
             field<&E::edited>("edited", "What a person made of the proposal: this was allowed."),
             field<&E::rule>("rule", "Id of the rule that holds from then on, by this answer."));
};
template <>
struct Describe<hub::event::Plan> {
  static constexpr std::string_view tag = "plan";
  static constexpr auto wire = fields(field<&hub::event::Plan::entries>("entries", "All of them, each time."));
};
template <>
struct Describe<hub::Cost> {
  static constexpr auto wire =
      fields(field<&hub::Cost::amount>("amount", "How much."), field<&hub::Cost::currency>("currency", "ISO 4217: USD, …"));
};
template <>
struct Describe<hub::ModelUsage> {
  using M = hub::ModelUsage;
  static constexpr auto wire =
      fields(field<&M::model>("model", "Its name."), field<&M::input_tokens>("input_tokens", "Read, the cache's part too."),
             field<&M::output_tokens>("output_tokens", "Written."),
             field<&M::cache_read_tokens>("cache_read_tokens", "Of the input, taken from the cache."),
             field<&M::cache_write_tokens>("cache_write_tokens", "Of the input, put into the cache."),
             field<&M::cost>("cost", "When the agent tells it."));
};
template <>
struct Describe<hub::ContextUse> {
  static constexpr auto wire = fields(field<&hub::ContextUse::used>("used", "Tokens in the model's window."),
                                      field<&hub::ContextUse::size>("size", "Tokens that it holds."));
};
template <>
struct Describe<hub::event::Usage> {
  static constexpr std::string_view tag = "usage";
  using E = hub::event::Usage;
  static constexpr auto wire =
      fields(field<&E::input_tokens>("input_tokens", "Read by the model, the cache's part too."),
             field<&E::output_tokens>("output_tokens", "Written by the model."),
             field<&E::cache_read_tokens>("cache_read_tokens", "Of the input, taken from the cache."),
             field<&E::cache_write_tokens>("cache_write_tokens", "Of the input, put into the cache."),
             field<&E::cost>("cost", "When the agent tells it."), field<&E::models>("models", "The same by model."),
             field<&E::context>("context", "How full the model's window is now."));
};
template <>
struct Describe<hub::event::OptionChanged> {
  static constexpr std::string_view tag = "option";
  using E = hub::event::OptionChanged;
  static constexpr auto wire = fields(field<&E::id>("id", "Of the option."), field<&E::name>("name", "For people."),
                                      field<&E::value>("value", "From now on."), field<&E::by>("by", "person or agent."));
};
template <>
struct Describe<hub::event::Commands> {
  static constexpr std::string_view tag = "commands";
  static constexpr auto wire = fields(field<&hub::event::Commands::commands>("commands", "All of them, each time."));
};
template <>
struct Describe<hub::event::Cleared> {
  static constexpr std::string_view tag = "cleared";
  static constexpr auto wire =
      fields(field<&hub::event::Cleared::by>("by", "Name of the user; absent: the person of this machine."));
};
template <>
struct Describe<hub::event::ModeChanged> {
  static constexpr std::string_view tag = "mode";
  static constexpr auto wire =
      fields(field<&hub::event::ModeChanged::mode>("mode", "From now on."),
             field<&hub::event::ModeChanged::by>(
                 "by", "Name of the user who chose it; absent: the agent, or the person of this machine."));
};
template <>
struct Describe<hub::event::Failure> {
  static constexpr std::string_view tag = "error";
  using E = hub::event::Failure;
  static constexpr auto wire = fields(field<&E::code>("code", "For programs."), field<&E::message>("message", "For people."),
                                      field<&E::detail>("detail", "What the other side said."),
                                      field<&E::retryable>("retryable", "The same may succeed later."));
};
template <>
struct Describe<hub::Act> {
  using A = hub::Act;
  static constexpr auto wire =
      fields(field<&A::what>("what", "title, model, think, archived, access, stop, go_on, restart or withdraw; more may come."),
             field<&A::value>(
                 "value", "What it is from now on; of withdraw the name of who wrote the prompt, where that is somebody else."),
             field<&A::by>("by", "Name of the user who did it; absent: the person of this machine."));
};
template <>
struct Describe<hub::event::Notice> {
  static constexpr std::string_view tag = "notice";
  using E = hub::event::Notice;
  static constexpr auto wire =
      fields(field<&E::level>("level", "How much it matters."), field<&E::text>("text", "One sentence for people."),
             field<&E::detail>("detail", "More, or nothing."),
             field<&E::act>("act", "What a person did with the conversation; the text says the same."));
};
template <>
struct Describe<hub::event::TurnEnd> {
  static constexpr std::string_view tag = "turn_end";
  using E = hub::event::TurnEnd;
  static constexpr auto wire =
      fields(field<&E::turn>("turn", "Id of the turn."), field<&E::stop_reason>("stop_reason", "Why it ended."),
             field<&E::duration_ms>("duration_ms", "How long it took."));
};

}  // namespace parlance::wire

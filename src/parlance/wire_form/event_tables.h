// SPDX-License-Identifier: Apache-2.0
// The wire form of the hub's types: stored rows, messages to the page, and output of `parlance run --json`. Hub structs are
// independent of JSON, so their tables are here; docs/protocol/page.md and apps/web/src/protocol.ts are printed from them. Any
// thread.
//
// An event type has fields and a `tag`, the `kind` of its JSON. A type without them does not compile.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/plan.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/conversation/usage.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/wire/describe.h"
#include "parlance/wire_form/hub_tables.h"
#include "parlance/wire_form/tool_forms.h"

namespace parlance::hub {
struct Conversation;
struct Event;
}  // namespace parlance::hub

namespace parlance::wire_form {

// {"seq":7,"time":"…","kind":"text","text":"…"}
std::string event_json(const hub::Event& event);
Result<hub::Event> event_from_json(std::string_view text);

// The fields of every event beside the fields of its kind.
struct EventHead {
  std::uint64_t seq = 0;
  std::string time{};
  static constexpr auto wire = wire::fields(wire::field<&EventHead::seq>("seq", "Number in the conversation, counted from 1."),
                                            wire::field<&EventHead::time>("time", "Time of the event, RFC 3339 in UTC."));
};
// The union of all events by `kind`, without their head. For descriptions: the functions above read and write events.
const wire::Type& event_type();

std::string conversation_json(const hub::Conversation& conversation);
std::string ask_json(const hub::Ask& ask);
std::string rule_json(const hub::Rule& rule);
std::string agent_json(const hub::AgentInfo& agent);
std::string service_json(const hub::ServiceInfo& service);

}  // namespace parlance::wire_form

namespace parlance::wire {

// ---- bodies of events ------------------------------------------------------------------------------------------------

template <>
struct Describe<hub::event::TurnStart> {
  static constexpr std::string_view tag = "turn_start";
  using E = hub::event::TurnStart;
  static constexpr auto wire =
      fields(field<&E::turn>("turn", "Id of the turn."),
             field<&E::options>("options", "Settings of the frontend for this turn. Absent: none."),
             field<&E::by>("by", "Name of the user who started a turn without a message. Absent: the person of the machine."));
};
template <>
struct Describe<hub::event::UserMessage> {
  static constexpr std::string_view tag = "user_message";
  using E = hub::event::UserMessage;
  static constexpr auto wire =
      fields(field<&E::turn>("turn", "Id of the turn that the message starts."), field<&E::text>("text", "Text of the message."),
             field<&E::attachments>("attachments", "Attachments of the message. Absent: none."),
             field<&E::context>("context", "Context of the person's editor. Absent: none."),
             field<&E::by>("by", "Name of the author. Absent: the person of the machine."));
};
template <>
struct Describe<hub::event::Text> {
  static constexpr std::string_view tag = "text";
  static constexpr auto wire =
      fields(field<&hub::event::Text::text>("text", "The next piece of the answer. Append it to the text before."));
};
template <>
struct Describe<hub::event::ThinkingStart> {
  static constexpr std::string_view tag = "thinking_start";
  static constexpr std::array<Field, 0> wire{};
};
template <>
struct Describe<hub::event::ThinkingContent> {
  static constexpr std::string_view tag = "thinking_content";
  static constexpr auto wire =
      fields(field<&hub::event::ThinkingContent::text>("text", "The next piece of thinking. Append it to the piece before."));
};
template <>
struct Describe<hub::event::ThinkingEnd> {
  static constexpr std::string_view tag = "thinking_end";
  static constexpr auto wire =
      fields(field<&hub::event::ThinkingEnd::duration_ms>("duration_ms", "Duration of the thinking in milliseconds."));
};
template <>
struct Describe<hub::event::ToolStart> {
  static constexpr std::string_view tag = "tool_start";
  using Form = wire_form::ToolStart;
};
template <>
struct Describe<hub::event::ToolUpdate> {
  static constexpr std::string_view tag = "tool_update";
  using Form = wire_form::ToolUpdate;
};
template <>
struct Describe<hub::event::ToolOutput> {
  static constexpr std::string_view tag = "tool_output";
  using E = hub::event::ToolOutput;
  static constexpr auto wire =
      fields(field<&E::call>("call", "Id of the call."),
             field<&E::text>("text", "The next piece of output. Append it to the piece before."),
             field<&E::progress>("progress", "True: the piece reports progress and is not part of the output."));
};
template <>
struct Describe<hub::event::ToolEnd> {
  static constexpr std::string_view tag = "tool_end";
  using E = hub::event::ToolEnd;
  static constexpr auto wire = fields(field<&E::call>("call", "Id of the call."),
                                      field<&E::state>("state", "Result of the call: done, failed, rejected or cancelled."));
};
template <>
struct Describe<hub::event::ToolConfirmation> {
  static constexpr std::string_view tag = "tool_confirmation";
  static constexpr auto wire = fields(field<&hub::event::ToolConfirmation::ask>("ask", "The request at its creation."));
};
template <>
struct Describe<hub::event::UserQuestion> {
  static constexpr std::string_view tag = "user_question";
  static constexpr auto wire = fields(field<&hub::event::UserQuestion::ask>("ask", "The request at its creation."));
};
template <>
struct Describe<hub::event::PlanApproval> {
  static constexpr std::string_view tag = "plan_approval";
  static constexpr auto wire = fields(field<&hub::event::PlanApproval::ask>("ask", "The request at its creation."));
};
template <>
struct Describe<hub::event::AskSettled> {
  static constexpr std::string_view tag = "ask_settled";
  using E = hub::event::AskSettled;
  static constexpr auto wire =
      fields(field<&E::ask>("ask", "Id of the request."), field<&E::state>("state", "New state of the request."),
             field<&E::chosen>("chosen", "Id of the selected option. Absent: none."),
             field<&E::text>("text", "Feedback, or the answers as text."),
             field<&E::by>("by", "Name of the person or program that settled the request."),
             field<&E::edited>("edited", "The proposal after the person's edits. This version was allowed. Absent: no edits."),
             field<&E::rule>("rule", "Id of the rule that this answer created. Absent: none."));
};
template <>
struct Describe<hub::event::Plan> {
  static constexpr std::string_view tag = "plan";
  static constexpr auto wire =
      fields(field<&hub::event::Plan::entries>("entries", "The whole plan. It replaces the earlier plan."));
};
template <>
struct Describe<hub::Cost> {
  static constexpr auto wire = fields(field<&hub::Cost::amount>("amount", "Amount of money."),
                                      field<&hub::Cost::currency>("currency", "Currency code of ISO 4217, such as USD."));
};
template <>
struct Describe<hub::ModelUsage> {
  using M = hub::ModelUsage;
  static constexpr auto wire = fields(
      field<&M::model>("model", "Name of the model."),
      field<&M::input_tokens>("input_tokens", "Number of input tokens, cached tokens included."),
      field<&M::output_tokens>("output_tokens", "Number of output tokens."),
      field<&M::cache_read_tokens>("cache_read_tokens", "Number of input tokens read from a cache. Absent: not reported."),
      field<&M::cache_write_tokens>("cache_write_tokens", "Number of input tokens written to a cache. Absent: not reported."),
      field<&M::cost>("cost", "Cost of the tokens. Absent: not reported."));
};
template <>
struct Describe<hub::ContextUse> {
  static constexpr auto wire = fields(field<&hub::ContextUse::used>("used", "Number of tokens in the context window."),
                                      field<&hub::ContextUse::size>("size", "Size of the context window in tokens."));
};
template <>
struct Describe<hub::event::Usage> {
  static constexpr std::string_view tag = "usage";
  using E = hub::event::Usage;
  static constexpr auto wire = fields(
      field<&E::input_tokens>("input_tokens", "Number of input tokens, cached tokens included."),
      field<&E::output_tokens>("output_tokens", "Number of output tokens."),
      field<&E::cache_read_tokens>("cache_read_tokens", "Number of input tokens read from a cache. Absent: not reported."),
      field<&E::cache_write_tokens>("cache_write_tokens", "Number of input tokens written to a cache. Absent: not reported."),
      field<&E::cost>("cost", "Cost of the tokens. Absent: not reported."),
      field<&E::models>("models", "The same numbers by model. Absent: one model, or not reported."),
      field<&E::context>("context", "Present use of the context window. Absent: not reported."));
};
template <>
struct Describe<hub::event::OptionChanged> {
  static constexpr std::string_view tag = "option";
  using E = hub::event::OptionChanged;
  static constexpr auto wire =
      fields(field<&E::id>("id", "Id of the option."), field<&E::name>("name", "Name of the option for people."),
             field<&E::value>("value", "The new value."), field<&E::by>("by", "Actor: person, agent, or the name of a user."));
};
template <>
struct Describe<hub::event::Commands> {
  static constexpr std::string_view tag = "commands";
  static constexpr auto wire =
      fields(field<&hub::event::Commands::commands>("commands", "All commands. They replace the earlier list."));
};
template <>
struct Describe<hub::event::Cleared> {
  static constexpr std::string_view tag = "cleared";
  static constexpr auto wire =
      fields(field<&hub::event::Cleared::by>("by", "Name of the user. Absent: the person of the machine."));
};
template <>
struct Describe<hub::event::ModeChanged> {
  static constexpr std::string_view tag = "mode";
  static constexpr auto wire =
      fields(field<&hub::event::ModeChanged::mode>("mode", "The new mode."),
             field<&hub::event::ModeChanged::by>("by", "Name of the user. Absent: the agent, or the person of the machine."));
};
template <>
struct Describe<hub::event::Failure> {
  static constexpr std::string_view tag = "error";
  using E = hub::event::Failure;
  static constexpr auto wire =
      fields(field<&E::code>("code", "Error code for programs."), field<&E::message>("message", "Text of the error for people."),
             field<&E::detail>("detail", "Text of the other side. May be empty."),
             field<&E::retryable>("retryable", "True: a repetition may succeed later."));
};
template <>
struct Describe<hub::Act> {
  using A = hub::Act;
  static constexpr auto wire =
      fields(field<&A::what>("what",
                             "Kind of the change: title, model, think, archived, access, stop, go_on, restart or withdraw. Later "
                             "versions may add kinds."),
             field<&A::value>("value", "The new value. For withdraw, the author of the prompt if different from the actor."),
             field<&A::by>("by", "Name of the user. Absent: the person of the machine."));
};
template <>
struct Describe<hub::event::Notice> {
  static constexpr std::string_view tag = "notice";
  using E = hub::event::Notice;
  static constexpr auto wire =
      fields(field<&E::level>("level", "Severity of the notice."), field<&E::text>("text", "One sentence for people."),
             field<&E::detail>("detail", "Further information. May be empty."),
             field<&E::act>("act", "The change by a person. Its text says the same. Absent: no change."));
};
template <>
struct Describe<hub::event::TurnEnd> {
  static constexpr std::string_view tag = "turn_end";
  using E = hub::event::TurnEnd;
  static constexpr auto wire =
      fields(field<&E::turn>("turn", "Id of the turn."), field<&E::stop_reason>("stop_reason", "Reason for the end of the turn."),
             field<&E::duration_ms>("duration_ms", "Duration of the turn in milliseconds."));
};

}  // namespace parlance::wire

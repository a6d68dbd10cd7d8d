// SPDX-License-Identifier: Apache-2.0
// The wire form of the hub's plain structs: hub structs are independent of JSON. Tables of events are in event_tables.h. Any
// thread.
#pragma once

#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/plan.h"
#include "parlance/hub/conversation/stop_reason.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/hub/policy/spending.h"
#include "parlance/hub/team/user.h"
#include "parlance/wire/describe.h"

namespace parlance::hub {  // found by argument-dependent lookup

constexpr auto wire_names(Mode) { return wire::names("default", "autoEdit", "yolo", "plan", "smart"); }
constexpr auto wire_names(Health) { return wire::names("ready", "starting", "down"); }
constexpr auto wire_names(AskKind) { return wire::names("permission", "question", "plan", "limit"); }
constexpr auto wire_names(AskState) { return wire::names("open", "answered", "expired", "cancelled", "orphaned"); }
constexpr auto wire_names(OptionKind) {
  return wire::names("reject_once", "reject_always", "reject_and_stop", "allow_once", "allow_always", "choice", "feedback");
}
constexpr auto wire_names(EditablePart) { return wire::names("diff", "command"); }
constexpr auto wire_names(OptionType) { return wire::names("choice", "boolean"); }
constexpr auto wire_names(CallKind) {
  return wire::names("read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other");
}
constexpr auto wire_names(CallStatus) { return wire::names("pending", "running"); }
constexpr auto wire_names(Effect) { return wire::names("deny", "ask", "allow"); }
constexpr auto wire_names(ToolEndState) { return wire::names("done", "failed", "rejected", "cancelled"); }
constexpr auto wire_names(StopReason) {
  return wire::names("end_turn", "max_tokens", "refusal", "cancelled", "max_turns", "error");
}
constexpr auto wire_names(NoticeLevel) { return wire::names("info", "warning", "error"); }
constexpr auto wire_names(PlanStatus) { return wire::names("pending", "in_progress", "completed"); }
constexpr auto wire_names(PlanPriority) { return wire::names("high", "medium", "low"); }
constexpr auto wire_names(Access) { return wire::names("private", "view", "team"); }

}  // namespace parlance::hub

namespace parlance::wire {

template <>
struct Describe<hub::PromptOptions> {
  static constexpr auto wire =
      fields(field<&hub::PromptOptions::most_rounds>(
                 "most_rounds", "Highest number of model answers in this turn. Absent: the agent's own limit."),
             field<&hub::PromptOptions::system>(
                 "system", "Instructions in place of the agent's own instructions. Absent: the agent's own."),
             field<&hub::PromptOptions::append_system>("append_system",
                                                       "Instructions after the agent's own instructions. Absent: none."));
};
template <>
struct Describe<hub::AttachmentInfo> {
  using A = hub::AttachmentInfo;
  static constexpr auto wire =
      fields(field<&A::id>("id", "Id of the attachment."), field<&A::media_type>("media_type", "Media type, such as image/png."),
             field<&A::name>("name", "File name for people. May be empty."), field<&A::bytes>("bytes", "Size in bytes."),
             field<&A::url>("url", "Address of an attachment without bytes. Absent: the bytes are stored."));
};
template <>
struct Describe<hub::LineRange> {
  static constexpr auto wire = fields(field<&hub::LineRange::first>("first", "First line, counted from 1."),
                                      field<&hub::LineRange::last>("last", "Last line, this line included."));
};
template <>
struct Describe<hub::PromptContext> {
  using P = hub::PromptContext;
  static constexpr auto wire = fields(field<&P::path>("path", "Absolute path of the file with the focus in the editor."),
                                      field<&P::range>("range", "Selected lines. Absent: no selection."),
                                      field<&P::text>("text", "Text of the selected lines."));
};
template <>
struct Describe<hub::OptionValue> {
  using V = hub::OptionValue;
  static constexpr auto wire =
      fields(field<&V::value>("value", "Value for `set_option`."), field<&V::name>("name", "Name of the value for people."),
             field<&V::description>("description", "Effect of the value."));
};
template <>
struct Describe<hub::AgentOption> {
  using O = hub::AgentOption;
  static constexpr auto wire = fields(
      field<&O::id>("id", "Id of the option, unique for the agent."), field<&O::name>("name", "Name of the option for people."),
      field<&O::description>("description", "Description of the option."),
      field<&O::category>("category", "Category: mode, model, model_config, thought_level, or empty."),
      field<&O::kind>("kind", "Kind of the option: a choice among `values`, or a boolean."),
      field<&O::values>("values", "Values of a choice."),
      field<&O::value>("value", "Present value; true or false for a boolean."));
};
template <>
struct Describe<hub::SlashCommand> {
  using S = hub::SlashCommand;
  static constexpr auto wire = fields(field<&S::name>("name", "Name of the command without its slash."),
                                      field<&S::description>("description", "Effect of the command."),
                                      field<&S::hint>("hint", "Hint for the text after the name."));
};
template <>
struct Describe<hub::AgentInfo> {
  using A = hub::AgentInfo;
  static constexpr auto wire = fields(
      field<&A::id>("id", "Id of the agent."), field<&A::name>("name", "Name of the agent for people."),
      field<&A::state>("state", "State of the agent."), field<&A::detail>("detail", "Reason of a failure or wait."),
      field<&A::modes>("modes", "Modes of the agent."), field<&A::models>("models", "Models of the agent."),
      field<&A::scripted>("scripted", "True: a script writes the answers."),
      field<&A::media_types>(
          "media_types",
          "Media types that the agent can read in addition to text, such as image/png or text/*. Absent: not reported."),
      field<&A::keeps_sessions>("keeps_sessions", "True: the agent may keep sessions, listed by `sessions`. Absent: false."),
      field<&A::options>("options", "Further options of the agent with their present values."),
      field<&A::commands>("commands", "Slash commands of the agent, before a conversation reports its own."),
      field<&A::runner>("place", "Name of the runner. Absent: the gateway's machine."),
      field<&A::folders>("folders", "Offered folders of that machine. Agents work in these and below. Absent: any folder."));
};
template <>
struct Describe<hub::ServiceInfo> {
  using S = hub::ServiceInfo;
  static constexpr auto wire =
      fields(field<&S::name>("name", "Name of the service."), field<&S::state>("state", "State of the service."),
             field<&S::detail>("detail", "Reason of a failure."));
};
template <>
struct Describe<hub::Rule> {
  using R = hub::Rule;
  static constexpr auto wire = fields(field<&R::id>("id", "Id of the rule, for `revoke`."),
                                      field<&R::effect>("effect", "Effect of the rule: deny, ask or allow."),
                                      field<&R::label>("label", "Scope of the rule for people."),
                                      field<&R::created_at>("created_at", "Time of creation, RFC 3339 in UTC."),
                                      field<&R::uses>("uses", "Number of decisions by the rule. Absent: 0."),
                                      field<&R::used_for>("used_for", "Latest decision of the rule, for people."),
                                      field<&R::used_at>("used_at", "Time of the latest decision, RFC 3339 in UTC."));
};
template <>
struct Describe<hub::AskOption> {
  using O = hub::AskOption;
  static constexpr auto wire =
      fields(field<&O::id>("id", "Id of the option, for the answer."),
             field<&O::label>("label", "Label of the option for people."), field<&O::kind>("kind", "Meaning of the option."),
             field<&O::dangerous>("dangerous", "True: the Enter key never selects this option."));
};
template <>
struct Describe<hub::QuestionOption> {
  using O = hub::QuestionOption;
  static constexpr auto wire = fields(field<&O::label>("label", "Text of the choice, and the answer after selection."),
                                      field<&O::description>("description", "Effect of the choice."));
};
template <>
struct Describe<hub::Question> {
  using Q = hub::Question;
  static constexpr auto wire = fields(field<&Q::header>("header", "Short name of the question."),
                                      field<&Q::question>("question", "The complete question."),
                                      field<&Q::multiple>("multiple", "True: several choices may be selected."),
                                      field<&Q::options>("options", "Choices offered to the person."));
};
template <>
struct Describe<hub::Diff> {
  using D = hub::Diff;
  static constexpr auto wire = fields(field<&D::path>("path", "Absolute path of the file."),
                                      field<&D::before>("before", "Text before the change. Absent: the file is new."),
                                      field<&D::after>("after", "Text after the change. Absent: the file is deleted."));
};
template <>
struct Describe<hub::Reason> {
  using R = hub::Reason;
  static constexpr auto wire =
      fields(field<&R::id>("id", "Id of the reason. docs/policy.md lists the ids with their sentences; skip unknown ids."),
             field<&R::values>("values", "Values for the sentence, in order."),
             field<&R::agent>("agent", "Name of the agent that wants the call in the folder. Empty: the sentence stands alone."));
};
template <>
struct Describe<hub::Ask> {
  using A = hub::Ask;
  static constexpr auto wire = fields(
      field<&A::id>("id", "Id of the request."), field<&A::conversation>("conversation", "Id of the conversation."),
      field<&A::kind>("kind", "Kind of the request."), field<&A::call>("call", "Id of the waiting tool call."),
      field<&A::tool>("tool", "Name of the tool."), field<&A::title>("title", "One line: the path or the command."),
      field<&A::why>("why", "The caller, its action and place, and the reason of the request."),
      field<&A::reason>("reason", "The reason for translation. Absent or unknown: show `why`."),
      field<&A::detail>("detail", "The complete command or text that the call uses."),
      field<&A::diff>("diff", "Change of a file."), field<&A::questions>("questions", "With kind question: the questions."),
      field<&A::plan>("plan", "With kind plan: the plan as Markdown."),
      field<&A::options>("options", "Offered options in the agent's order. Empty for questions."),
      field<&A::editable>("editable", "The part that a person may edit before allowing, returned as `edited`."),
      field<&A::digest>("digest", "Digest of the shown content, for the answer. An answer with another digest has no effect."),
      field<&A::state>(
          "state", "State of the request. Open until a person, a rule, an expiry or the end of the turn settles the request."),
      field<&A::chosen>("chosen", "Id of the selected option."), field<&A::text>("text", "Feedback, or the answers as text."),
      field<&A::by>("by", "Name of the person or program that settled the request."),
      field<&A::edited>("edited", "The proposal after the person's edits. This version was allowed."),
      field<&A::created_at>("created_at", "Time of creation, RFC 3339 in UTC."));
};
template <>
struct Describe<hub::PlanEntry> {
  using P = hub::PlanEntry;
  static constexpr auto wire =
      fields(field<&P::content>("content", "Text of the task."), field<&P::status>("status", "State of the task."),
             field<&P::priority>("priority", "Priority of the task."));
};

}  // namespace parlance::wire

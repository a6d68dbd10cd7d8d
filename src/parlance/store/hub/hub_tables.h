// SPDX-License-Identifier: Apache-2.0
// What the hub's plain structs are in JSON: hub structs know no JSON, so their tables stand here; those of events are in event_tables.h.
// Any thread.
#pragma once

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/hub/policy/spending.h"
#include "parlance/wire/describe.h"

namespace parlance::hub {  // found by argument-dependent lookup

constexpr auto wire_names(Mode) { return wire::names("default", "autoEdit", "yolo", "plan", "smart"); }
constexpr auto wire_names(ConversationState) { return wire::names("idle", "running", "waiting"); }
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
  static constexpr auto wire = fields(
      field<&hub::PromptOptions::most_rounds>("most_rounds", "Answers of the model in this turn; absent: the agent's own limit."),
      field<&hub::PromptOptions::system>("system", "In place of the agent's own instructions."),
      field<&hub::PromptOptions::append_system>("append_system", "Behind them."));
};
template <>
struct Describe<hub::AttachmentInfo> {
  using A = hub::AttachmentInfo;
  static constexpr auto wire =
      fields(field<&A::id>("id", "Unique."), field<&A::media_type>("media_type", "image/png, …"),
             field<&A::name>("name", "For people; may be empty."), field<&A::bytes>("bytes", "Its size."),
             field<&A::url>("url", "Where it lies, when it was not sent itself."));
};
template <>
struct Describe<hub::LineRange> {
  static constexpr auto wire = fields(field<&hub::LineRange::first>("first", "The first line, from 1."),
                                      field<&hub::LineRange::last>("last", "The last line; it is part of the range."));
};
template <>
struct Describe<hub::PromptContext> {
  using P = hub::PromptContext;
  static constexpr auto wire =
      fields(field<&P::path>("path", "A file that the person looks at."), field<&P::range>("range", "What is selected there."),
             field<&P::text>("text", "The text of the range."));
};
template <>
struct Describe<hub::OptionValue> {
  using V = hub::OptionValue;
  static constexpr auto wire =
      fields(field<&V::value>("value", "What `set_option` takes."), field<&V::name>("name", "For people."),
             field<&V::description>("description", "What it means."));
};
template <>
struct Describe<hub::AgentOption> {
  using O = hub::AgentOption;
  static constexpr auto wire =
      fields(field<&O::id>("id", "Unique for the agent."), field<&O::name>("name", "For people."),
             field<&O::description>("description", "What it is about."),
             field<&O::category>("category", "mode, model, model_config, thought_level; empty: none of them."),
             field<&O::kind>("kind", "Whether one of `values` is chosen, or yes or no."),
             field<&O::values>("values", "Of a choice."), field<&O::value>("value", "In force; of a boolean true or false."));
};
template <>
struct Describe<hub::SlashCommand> {
  using S = hub::SlashCommand;
  static constexpr auto wire =
      fields(field<&S::name>("name", "Without the slash."), field<&S::description>("description", "What it does."),
             field<&S::hint>("hint", "What may follow it."));
};
template <>
struct Describe<hub::QueuedPrompt> {
  static constexpr auto wire =
      fields(field<&hub::QueuedPrompt::id>("id", "To withdraw it."), field<&hub::QueuedPrompt::text>("text", "What was written."),
             field<&hub::QueuedPrompt::options>("options", "What is wanted of the agent; absent: nothing."),
             field<&hub::QueuedPrompt::attachments>("attachments", "What came with it."),
             field<&hub::QueuedPrompt::context>("context", "What the person looked at."),
             field<&hub::QueuedPrompt::by>("by", "Name of the user who wrote it; absent: the person of this machine."));
};
template <>
struct Describe<hub::Conversation> {
  using C = hub::Conversation;
  static constexpr auto wire = fields(
      field<&C::id>("id", "Unique."), field<&C::title>("title", "From the first message, until a person gives one."),
      field<&C::agent>("agent", "Id of the agent that answers."),
      field<&C::folder>("folder", "Absolute path of the folder it works in."),
      field<&C::folders>("folders", "More folders that count as inside.").or_default(),
      field<&C::named>("named", "A person gave the title.").or_default(),
      field<&C::archived>("archived", "A person put it away; absent: no."),
      field<&C::mode>("mode", "What the agent may do without asking."), field<&C::model>("model", "Empty: the agent's default."),
      field<&C::think>("think", "The model thinks before it answers."),
      field<&C::options>("options", "Options of its agent as they are here; any other is as the agent offers it."),
      field<&C::state>("state", "Idle, running, or waiting for a person."),
      field<&C::open_asks>("open_asks", "How much waits for a person."),
      field<&C::queued>("queued", "Prompts that wait for the running turn."),
      field<&C::waits_for>("waits_for", "What the running turn waits for that is no person; absent: nothing."),
      field<&C::last_seq>("last_seq", "Number of the newest event."), field<&C::created_at>("created_at", "RFC 3339, UTC."),
      field<&C::updated_at>("updated_at", "RFC 3339, UTC."),
      field<&C::via>("via", "A program began it for one request: http. Absent: a person did."),
      field<&C::user>("user", "Id of the user whose it is; absent: of the person of this machine."),
      field<&C::access>("access", "What others of the team may do with it; absent: nothing, it is private."),
      field<&C::place>("place", "The runner on whose machine it works; absent: the gateway's."));
};
template <>
struct Describe<hub::AgentInfo> {
  using A = hub::AgentInfo;
  static constexpr auto wire = fields(
      field<&A::id>("id", "Unique."), field<&A::name>("name", "For people."),
      field<&A::state>("state", "Whether it can be asked."), field<&A::detail>("detail", "Why it is down, what it waits for."),
      field<&A::modes>("modes", "Modes it knows."), field<&A::models>("models", "Models it offers."),
      field<&A::scripted>("scripted", "Its answers come from a script."),
      field<&A::media_types>("media_types", "What it can be shown beside words: image/png, text/*; absent: it does not say."),
      field<&A::keeps_sessions>("keeps_sessions", "It may keep sessions that `sessions` tells; absent: no."),
      field<&A::options>("options", "What can be chosen beside, with the agent's own choice."),
      field<&A::commands>("commands", "Its slash commands, before a conversation tells its own."),
      field<&A::place>("place", "The runner on whose machine it works; absent: the gateway's."),
      field<&A::folders>("folders", "Folders of that machine that it may work in, and below them; absent: any."));
};
template <>
struct Describe<hub::ServiceInfo> {
  using S = hub::ServiceInfo;
  static constexpr auto wire = fields(field<&S::name>("name", "Unique."), field<&S::state>("state", "Whether it works."),
                                      field<&S::detail>("detail", "Why not."));
};
template <>
struct Describe<hub::Rule> {
  using R = hub::Rule;
  static constexpr auto wire = fields(field<&R::id>("id", "To revoke it."), field<&R::effect>("effect", "What it decides."),
                                      field<&R::label>("label", "For people: what it covers, and where."),
                                      field<&R::created_at>("created_at", "RFC 3339, UTC."),
                                      field<&R::uses>("uses", "How often it has decided; absent: never."),
                                      field<&R::used_for>("used_for", "What it decided last, for people."),
                                      field<&R::used_at>("used_at", "When; RFC 3339, UTC."));
};
template <>
struct Describe<hub::AskOption> {
  using O = hub::AskOption;
  static constexpr auto wire = fields(field<&O::id>("id", "Goes back with the answer."), field<&O::label>("label", "For people."),
                                      field<&O::kind>("kind", "What choosing it means."),
                                      field<&O::dangerous>("dangerous", "Never the choice of the Enter key."));
};
template <>
struct Describe<hub::QuestionOption> {
  using O = hub::QuestionOption;
  static constexpr auto wire =
      fields(field<&O::label>("label", "The answer."), field<&O::description>("description", "What it means."));
};
template <>
struct Describe<hub::Question> {
  using Q = hub::Question;
  static constexpr auto wire =
      fields(field<&Q::header>("header", "A word or two."), field<&Q::question>("question", "The whole question."),
             field<&Q::multiple>("multiple", "Several answers may be chosen."),
             field<&Q::options>("options", "Answers to choose from."));
};
template <>
struct Describe<hub::Diff> {
  using D = hub::Diff;
  static constexpr auto wire =
      fields(field<&D::path>("path", "The file."), field<&D::before>("before", "Absent: the file is new."),
             field<&D::after>("after", "Absent: the file is deleted."));
};
template <>
struct Describe<hub::Ask> {
  using A = hub::Ask;
  static constexpr auto wire = fields(
      field<&A::id>("id", "Unique."), field<&A::conversation>("conversation", "Where it waits."),
      field<&A::kind>("kind", "What is wanted of the person."), field<&A::call>("call", "The tool call that waits for it."),
      field<&A::tool>("tool", "The tool of that call."), field<&A::title>("title", "One line: the path, the command."),
      field<&A::why>("why", "Who wants what, where, and why it is asked."),
      field<&A::detail>("detail", "The full command or text that will be used."),
      field<&A::diff>("diff", "What a file will become."), field<&A::questions>("questions", "For kind question."),
      field<&A::plan>("plan", "For kind plan: Markdown."),
      field<&A::options>("options", "In the agent's order; empty for questions."),
      field<&A::editable>("editable", "What of it a person may change before allowing it: goes back as `edited`."),
      field<&A::digest>("digest", "Goes back with the answer, which counts only for exactly this."),
      field<&A::state>("state", "Open until a person, a rule, an expiry or the end of its turn settles it."),
      field<&A::chosen>("chosen", "Id of the chosen option."), field<&A::text>("text", "Feedback, or the answers in words."),
      field<&A::by>("by", "Who settled it."), field<&A::edited>("edited", "What a person made of it: this was allowed."),
      field<&A::created_at>("created_at", "RFC 3339, UTC."));
};
template <>
struct Describe<hub::PlanEntry> {
  using P = hub::PlanEntry;
  static constexpr auto wire =
      fields(field<&P::content>("content", "What is to be done."), field<&P::status>("status", "How far it is."),
             field<&P::priority>("priority", "How much it matters."));
};

}  // namespace parlance::wire

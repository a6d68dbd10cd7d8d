// The JSON of the hub's types: what lies in the store, what goes to the page, and what `parlance run --json` prints. The page's
// contract is apps/web/src/protocol.ts; hub structs know no JSON, so their tables stand here. Any thread.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/result.h"
#include "hub/ask.h"
#include "hub/conversation.h"
#include "hub/event.h"
#include "hub/policy.h"
#include "wire/describe.h"

namespace parlance::store {

// {"seq":7,"time":"…","kind":"text","text":"…"}
std::string event_json(const hub::Event& event);
void append_event_json(std::string& out, const hub::Event& event);
Result<hub::Event> event_from_json(std::string_view text);
std::string_view kind_of(const hub::EventBody& body);

std::string conversation_json(const hub::Conversation& conversation);
std::string ask_json(const hub::Ask& ask);
std::string rule_json(const hub::Rule& rule);
std::string agent_json(const hub::AgentInfo& agent);
std::string service_json(const hub::ServiceInfo& service);

}  // namespace parlance::store

namespace parlance::hub {  // found by argument-dependent lookup

constexpr auto wire_names(Mode) { return wire::names("default", "autoEdit", "yolo", "plan", "smart"); }
constexpr auto wire_names(ConversationState) { return wire::names("idle", "running", "waiting"); }
constexpr auto wire_names(Health) { return wire::names("ready", "starting", "down"); }
constexpr auto wire_names(AskKind) { return wire::names("permission", "question", "plan"); }
constexpr auto wire_names(AskState) { return wire::names("open", "answered", "expired", "cancelled", "orphaned"); }
constexpr auto wire_names(OptionKind) {
  return wire::names("allow_once", "allow_always", "reject_once", "reject_always", "choice", "feedback");
}
constexpr auto wire_names(Effect) { return wire::names("allow", "ask", "deny"); }
constexpr auto wire_names(ToolEndState) { return wire::names("done", "failed", "rejected", "cancelled"); }
constexpr auto wire_names(StopReason) {
  return wire::names("end_turn", "max_tokens", "refusal", "cancelled", "max_turns", "error");
}
constexpr auto wire_names(PlanStatus) { return wire::names("pending", "in_progress", "completed"); }
constexpr auto wire_names(PlanPriority) { return wire::names("high", "medium", "low"); }

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
struct Describe<hub::QueuedPrompt> {
  static constexpr auto wire =
      fields(field<&hub::QueuedPrompt::id>("id", "To withdraw it."), field<&hub::QueuedPrompt::text>("text", "What was written."),
             field<&hub::QueuedPrompt::options>("options", "What is wanted of the agent; absent: nothing."),
             field<&hub::QueuedPrompt::attachments>("attachments", "What came with it."));
};
template <>
struct Describe<hub::Conversation> {
  using C = hub::Conversation;
  static constexpr auto wire = fields(
      field<&C::id>("id", "Unique."), field<&C::title>("title", "From the first message, until a person gives one."),
      field<&C::agent>("agent", "Id of the agent that answers."),
      field<&C::folder>("folder", "Absolute path of the folder it works in."),
      field<&C::mode>("mode", "What the agent may do without asking."), field<&C::model>("model", "Empty: the agent's default."),
      field<&C::think>("think", "The model thinks before it answers."),
      field<&C::state>("state", "Idle, running, or waiting for a person."),
      field<&C::open_asks>("open_asks", "How much waits for a person."),
      field<&C::queued>("queued", "Prompts that wait for the running turn."),
      field<&C::waits_for>("waits_for", "What the running turn waits for that is no person; absent: nothing."),
      field<&C::last_seq>("last_seq", "Number of the newest event."), field<&C::created_at>("created_at", "RFC 3339, UTC."),
      field<&C::updated_at>("updated_at", "RFC 3339, UTC."),
      field<&C::via>("via", "A program began it for one request: http. Absent: a person did."));
};
template <>
struct Describe<hub::AgentInfo> {
  using A = hub::AgentInfo;
  static constexpr auto wire = fields(
      field<&A::id>("id", "Unique."), field<&A::name>("name", "For people."),
      field<&A::state>("state", "Whether it can be asked."), field<&A::detail>("detail", "Why it is down, what it waits for."),
      field<&A::modes>("modes", "Modes it knows."), field<&A::models>("models", "Models it offers."),
      field<&A::scripted>("scripted", "Its answers come from a script."),
      field<&A::media_types>("media_types", "What it can be shown beside words: image/png, text/*; absent: it does not say."));
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
                                      field<&R::created_at>("created_at", "RFC 3339, UTC."));
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
      field<&A::digest>("digest", "Goes back with the answer, which counts only for exactly this."),
      field<&A::state>("state", "Open until a person, a rule, an expiry or the end of its turn settles it."),
      field<&A::chosen>("chosen", "Id of the chosen option."), field<&A::text>("text", "Feedback, or the answers in words."),
      field<&A::by>("by", "Who settled it."), field<&A::created_at>("created_at", "RFC 3339, UTC."));
};
template <>
struct Describe<hub::PlanEntry> {
  using P = hub::PlanEntry;
  static constexpr auto wire =
      fields(field<&P::content>("content", "What is to be done."), field<&P::status>("status", "How far it is."),
             field<&P::priority>("priority", "How much it matters."));
};

// ---- bodies of events ------------------------------------------------------------------------------------------------

template <>
struct Describe<hub::event::TurnStart> {
  static constexpr auto wire = fields(field<&hub::event::TurnStart::turn>("turn", "Id of the turn."));
};
template <>
struct Describe<hub::event::UserMessage> {
  using E = hub::event::UserMessage;
  static constexpr auto wire = fields(field<&E::turn>("turn", "The turn it began."), field<&E::text>("text", "What was written."),
                                      field<&E::attachments>("attachments", "What came with it."));
};
template <>
struct Describe<hub::event::Text> {
  static constexpr auto wire = fields(field<&hub::event::Text::text>("text", "A piece: append to the text before it."));
};
template <>
struct Describe<hub::event::ThinkingStart> {
  static constexpr std::array<Field, 0> wire{};
};
template <>
struct Describe<hub::event::ThinkingContent> {
  static constexpr auto wire = fields(field<&hub::event::ThinkingContent::text>("text", "A piece."));
};
template <>
struct Describe<hub::event::ThinkingEnd> {
  static constexpr auto wire = fields(field<&hub::event::ThinkingEnd::duration_ms>("duration_ms", "How long it took."));
};
template <>
struct Describe<hub::event::ToolOutput> {
  using E = hub::event::ToolOutput;
  static constexpr auto wire = fields(field<&E::call>("call", "The call."), field<&E::text>("text", "A piece."),
                                      field<&E::progress>("progress", "True: how far it is; not part of what it says."));
};
template <>
struct Describe<hub::event::ToolEnd> {
  using E = hub::event::ToolEnd;
  static constexpr auto wire = fields(field<&E::call>("call", "The call."), field<&E::state>("state", "How it ended."),
                                      field<&E::diff>("diff", "What it changed."));
};
template <>
struct Describe<hub::event::ToolConfirmation> {
  static constexpr auto wire = fields(field<&hub::event::ToolConfirmation::ask>("ask", "As it was asked."));
};
template <>
struct Describe<hub::event::UserQuestion> {
  static constexpr auto wire = fields(field<&hub::event::UserQuestion::ask>("ask", "As it was asked."));
};
template <>
struct Describe<hub::event::PlanApproval> {
  static constexpr auto wire = fields(field<&hub::event::PlanApproval::ask>("ask", "As it was asked."));
};
template <>
struct Describe<hub::event::AskSettled> {
  using E = hub::event::AskSettled;
  static constexpr auto wire =
      fields(field<&E::ask>("ask", "Its id."), field<&E::state>("state", "What became of it."),
             field<&E::chosen>("chosen", "Id of the chosen option."),
             field<&E::text>("text", "Feedback, or the answers in words."), field<&E::by>("by", "Who settled it."));
};
template <>
struct Describe<hub::event::Plan> {
  static constexpr auto wire = fields(field<&hub::event::Plan::entries>("entries", "All of them, each time."));
};
template <>
struct Describe<hub::event::Usage> {
  using E = hub::event::Usage;
  static constexpr auto wire = fields(field<&E::input_tokens>("input_tokens", "Read by the model."),
                                      field<&E::output_tokens>("output_tokens", "Written by the model."),
                                      field<&E::cost>("cost", "In US dollars, when the agent tells it."));
};
template <>
struct Describe<hub::event::ModeChanged> {
  static constexpr auto wire = fields(field<&hub::event::ModeChanged::mode>("mode", "From now on."));
};
template <>
struct Describe<hub::event::Failure> {
  using E = hub::event::Failure;
  static constexpr auto wire = fields(field<&E::code>("code", "For programs."), field<&E::message>("message", "For people."),
                                      field<&E::detail>("detail", "What the other side said."),
                                      field<&E::retryable>("retryable", "The same may succeed later."));
};
template <>
struct Describe<hub::event::TurnEnd> {
  using E = hub::event::TurnEnd;
  static constexpr auto wire =
      fields(field<&E::turn>("turn", "Id of the turn."), field<&E::stop_reason>("stop_reason", "Why it ended."),
             field<&E::duration_ms>("duration_ms", "How long it took."));
};

}  // namespace parlance::wire

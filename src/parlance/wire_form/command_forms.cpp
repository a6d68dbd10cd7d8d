// SPDX-License-Identifier: Apache-2.0
#include "parlance/wire_form/command_forms.h"

#include <concepts>
#include <type_traits>
#include <utility>
#include <variant>

#include "parlance/codec/json/typed.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::wire_form {
namespace {

struct AttachmentForm {
  hub::AttachmentInfo about{};
  wire::Blob data{};
  static constexpr auto wire = wire::fields(wire::field<&AttachmentForm::about>("about", "Description of the attachment."),
                                            wire::field<&AttachmentForm::data>("data", "Bytes of the attachment."));
};

struct OutcomeForm {
  std::optional<std::string> code{};
  std::string message{};
  std::string data{};
  std::string turn{};
  std::string queued{};
  static constexpr auto wire =
      wire::fields(wire::field<&OutcomeForm::code>("code", "Code of the error. Absent: the command succeeded."),
                   wire::field<&OutcomeForm::message>("message", "Text of the error.").or_default(),
                   wire::field<&OutcomeForm::data>("data", "Data of the error.").or_default(),
                   wire::field<&OutcomeForm::turn>("turn", "With prompt: id of the started turn.").or_default(),
                   wire::field<&OutcomeForm::queued>("queued", "With prompt: id of the queued prompt.").or_default());
};

// The bytes of attachments need a member of their own kind.
struct SendPromptForm {
  static constexpr std::string_view tag = hub::SendPrompt::tag;
  std::string text{};
  hub::PromptOptions options{};
  std::vector<AttachmentForm> attachments{};
  std::vector<hub::PromptContext> context{};
  static constexpr auto wire =
      wire::fields(wire::field<&SendPromptForm::text>("text", "Text of the prompt."),
                   wire::field<&SendPromptForm::options>("options", "Settings of the frontend.").or_default(),
                   wire::field<&SendPromptForm::attachments>("attachments", "Attachments of the prompt.").or_default(),
                   wire::field<&SendPromptForm::context>("context", "Context of the editor.").or_default());
};

}  // namespace
}  // namespace parlance::wire_form

namespace parlance::wire {

template <>
struct Describe<hub::ConversationChanges> {
  using C = hub::ConversationChanges;
  static constexpr auto wire = fields(field<&C::title>("title", "The new title."), field<&C::mode>("mode", "The new mode."),
                                      field<&C::model>("model", "Name of the new model."),
                                      field<&C::think>("think", "True: the model thinks before it answers."),
                                      field<&C::archived>("archived", "True: archive the conversation."),
                                      field<&C::access>("access", "The new access of other users."));
};
template <>
struct Describe<hub::Answer> {
  using G = hub::Answer;
  static constexpr auto wire = fields(
      field<&G::digest>("digest", "Digest of the shown content."), field<&G::option>("option", "Id of the selected option."),
      field<&G::text>("text", "Feedback or a note."), field<&G::answers>("answers", "Answers to the questions, in their order."),
      field<&G::edited>("edited", "The proposal after the person's edits."),
      field<&G::by>("by", "Name of the user who answered."));
};

template <>
struct Describe<hub::ContinueTurn> {
  static constexpr auto wire = fields(field<&hub::ContinueTurn::options>("options", "Settings of the frontend.").or_default());
};
template <>
struct Describe<hub::PrepareAgent> {
  static constexpr auto wire =
      fields(field<&hub::PrepareAgent::options>("options", "Settings of the frontend for the next prompt.").or_default());
};
template <>
struct Describe<hub::WithdrawPrompt> {
  static constexpr auto wire = fields(field<&hub::WithdrawPrompt::prompt>("prompt", "Id of the queued prompt."));
};
template <>
struct Describe<hub::StopTurn> {
  static constexpr auto wire =
      fields(field<&hub::StopTurn::only_own>("only_own", "True: stop only a turn that a prompt of the caller started."));
};
template <>
struct Describe<hub::ChangeSettings> {
  static constexpr auto wire = fields(field<&hub::ChangeSettings::changes>("changes", "The changed members."));
};
template <>
struct Describe<hub::SetOption> {
  static constexpr auto wire = fields(field<&hub::SetOption::option>("option", "Id of the option."),
                                      field<&hub::SetOption::value>("value", "The new value of the option."));
};
template <>
struct Describe<hub::AnswerRequest> {
  static constexpr auto wire = fields(field<&hub::AnswerRequest::request>("request", "Id of the request."),
                                      field<&hub::AnswerRequest::answer>("answer", "Selected option and text of the answer."));
};
template <>
struct Describe<hub::RepeatRequest> {
  static constexpr auto wire = fields(field<&hub::RepeatRequest::request>("request", "Id of the orphaned request."));
};
template <class C>
  requires std::is_empty_v<C> && std::convertible_to<C, hub::Command>
struct Describe<C> {
  static constexpr auto wire = fields();
};

}  // namespace parlance::wire

namespace parlance::wire_form {
namespace {

template <class C>
using StoredAs = std::conditional_t<std::is_same_v<C, hub::SendPrompt>, SendPromptForm, C>;

template <class Variant>
struct TaggedForm;
template <class... C>
struct TaggedForm<std::variant<C...>> {
  using Type = wire::Tagged<"kind", StoredAs<C>...>;
};

struct SubmissionForm {
  std::string by{};
  TaggedForm<hub::Command>::Type command{};
  static constexpr auto wire =
      wire::fields(wire::field<&SubmissionForm::by>("by", "Name of the user who gave the command.").or_default(),
                   wire::field<&SubmissionForm::command>("command", "Kind and fields of the command."));
};

SendPromptForm form_of(hub::SendPrompt command) {
  SendPromptForm form{
      .text = std::move(command.text), .options = std::move(command.options), .context = std::move(command.context)};
  for (hub::Attachment& attachment : command.attachments)
    form.attachments.push_back({.about = std::move(attachment.about), .data = {.bytes = std::move(attachment.data)}});
  return form;
}

hub::SendPrompt command_of(SendPromptForm form) {
  hub::SendPrompt command{.text = std::move(form.text), .options = std::move(form.options), .context = std::move(form.context)};
  for (AttachmentForm& attachment : form.attachments)
    command.attachments.push_back({.about = std::move(attachment.about), .data = std::move(attachment.data.bytes)});
  return command;
}

template <class C>
C form_of(C command) {
  return command;
}
template <class C>
C command_of(C command) {
  return command;
}

}  // namespace

std::string command_text(const hub::Submission& from) {
  SubmissionForm form{.by = from.by};
  std::visit([&](const auto& command) { form.command.value = form_of(command); }, from.command);
  return json::to_text(form);
}

Result<hub::Submission> command_from_text(std::string_view text) {
  PARLANCE_TRY(form, json::from_text<SubmissionForm>(text));
  hub::Submission from{.by = std::move(form.by)};
  std::visit([&](auto& command) { from.command = command_of(std::move(command)); }, form.command.value);
  return from;
}

std::string outcome_text(const hub::CommandOutcome& outcome) {
  OutcomeForm form{.turn = outcome.prompted.turn, .queued = outcome.prompted.queued};
  if (outcome.error) {
    form.code = std::string(to_string(outcome.error->code));
    form.message = outcome.error->message;
    form.data = outcome.error->data;
  }
  return json::to_text(form);
}

Result<hub::CommandOutcome> outcome_from_text(std::string_view text) {
  PARLANCE_TRY(form, json::from_text<OutcomeForm>(text));
  hub::CommandOutcome outcome{.prompted = {.turn = std::move(form.turn), .queued = std::move(form.queued)}};
  if (form.code)
    outcome.error = Error{.code = error_code_named(*form.code).value_or(Errc::failed),
                          .message = std::move(form.message),
                          .data = std::move(form.data)};
  return outcome;
}

}  // namespace parlance::wire_form

// SPDX-License-Identifier: Apache-2.0
#include "parlance/wire_form/command_forms.h"

#include <type_traits>
#include <utility>
#include <variant>

#include "parlance/codec/json/typed.h"
#include "parlance/wire_form/command_tables.h"

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
  hub::SendPrompt command{};  // without attachments
  std::vector<AttachmentForm> attachments{};
  static constexpr auto wire =
      wire::fields(wire::inlined<SendPromptForm, &SendPromptForm::command>(),
                   wire::field<&SendPromptForm::attachments>("attachments", "Attachments of the prompt.").or_default());
};

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
  SendPromptForm form{};
  for (hub::Attachment& attachment : command.attachments)
    form.attachments.push_back({.about = std::move(attachment.about), .data = {.bytes = std::move(attachment.data)}});
  command.attachments.clear();
  form.command = std::move(command);
  return form;
}

hub::SendPrompt command_of(SendPromptForm form) {
  for (AttachmentForm& attachment : form.attachments)
    form.command.attachments.push_back({.about = std::move(attachment.about), .data = std::move(attachment.data.bytes)});
  return std::move(form.command);
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

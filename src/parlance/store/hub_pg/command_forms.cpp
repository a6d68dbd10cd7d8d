// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/command_forms.h"

#include <utility>

#include "parlance/codec/json/typed.h"
#include "parlance/store/hub/event_tables.h"

namespace parlance::hub {

constexpr auto wire_names(CommandKind) {
  return wire::names("prompt", "carry_on", "prepare", "restart", "withdraw", "stop", "go_on", "set", "set_option", "clear",
                     "remove", "answer", "reask");
}

}  // namespace parlance::hub

namespace parlance::store {
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

struct CommandForm {
  hub::CommandKind kind = hub::CommandKind::stop;
  std::string text{};
  std::string about{};
  std::string by{};
  hub::PromptOptions options{};
  std::vector<AttachmentForm> attachments{};
  std::vector<hub::PromptContext> context{};
  hub::ConversationChanges changes{};
  hub::GivenAnswer given{};
  static constexpr auto wire =
      wire::fields(wire::field<&CommandForm::kind>("kind", "Kind of the command."),
                   wire::field<&CommandForm::text>("text", "With prompt: the text. With an option: its value.").or_default(),
                   wire::field<&CommandForm::about>("about", "Id of the option, request or queued prompt.").or_default(),
                   wire::field<&CommandForm::by>("by", "Name of the user who gave the command.").or_default(),
                   wire::field<&CommandForm::options>("options", "With prompt: settings of the frontend.").or_default(),
                   wire::field<&CommandForm::attachments>("attachments", "With prompt: attachments.").or_default(),
                   wire::field<&CommandForm::context>("context", "With prompt: context of the editor.").or_default(),
                   wire::field<&CommandForm::changes>("changes", "With set: the changed members.").or_default(),
                   wire::field<&CommandForm::given>("given", "With answer: the answer.").or_default());
};

}  // namespace
}  // namespace parlance::store

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
struct Describe<hub::GivenAnswer> {
  using G = hub::GivenAnswer;
  static constexpr auto wire = fields(
      field<&G::digest>("digest", "Digest of the shown content."), field<&G::option>("option", "Id of the selected option."),
      field<&G::text>("text", "Feedback or a note."), field<&G::answers>("answers", "Answers to the questions, in their order."),
      field<&G::edited>("edited", "The proposal after the person's edits."),
      field<&G::by>("by", "Name of the user who answered."));
};

}  // namespace parlance::wire

namespace parlance::store {

std::string command_text(const hub::Command& command) {
  CommandForm form{.kind = command.kind,
                   .text = command.text,
                   .about = command.about,
                   .by = command.by,
                   .options = command.options,
                   .context = command.context,
                   .changes = command.changes,
                   .given = command.given};
  for (const hub::Attachment& one : command.attachments)
    form.attachments.push_back({.about = one.about, .data = {.bytes = one.data}});
  return json::to_text(form);
}

Result<hub::Command> command_from_text(std::string_view text) {
  PARLANCE_TRY(form, json::from_text<CommandForm>(text));
  hub::Command command{.by = std::move(form.by),
                       .kind = form.kind,
                       .text = std::move(form.text),
                       .about = std::move(form.about),
                       .options = std::move(form.options),
                       .context = std::move(form.context),
                       .changes = std::move(form.changes),
                       .given = std::move(form.given)};
  for (AttachmentForm& one : form.attachments)
    command.attachments.push_back({.about = std::move(one.about), .data = std::move(one.data.bytes)});
  return command;
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

}  // namespace parlance::store

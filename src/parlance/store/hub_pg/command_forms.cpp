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
  static constexpr auto wire = wire::fields(wire::field<&AttachmentForm::about>("about", "What it is."),
                                            wire::field<&AttachmentForm::data>("data", "Its bytes."));
};

struct OutcomeForm {
  std::optional<std::string> code{};
  std::string message{};
  std::string data{};
  std::string turn{};
  std::string queued{};
  static constexpr auto wire = wire::fields(wire::field<&OutcomeForm::code>("code", "Of the error; absent: it was done."),
                                            wire::field<&OutcomeForm::message>("message", "Of the error.").or_default(),
                                            wire::field<&OutcomeForm::data>("data", "Of the error.").or_default(),
                                            wire::field<&OutcomeForm::turn>("turn", "Of a prompt.").or_default(),
                                            wire::field<&OutcomeForm::queued>("queued", "Of a prompt.").or_default());
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
      wire::fields(wire::field<&CommandForm::kind>("kind", "What is wanted."),
                   wire::field<&CommandForm::text>("text", "Of a prompt; the value of an option.").or_default(),
                   wire::field<&CommandForm::about>("about", "The option, the ask, the prompt of the queue.").or_default(),
                   wire::field<&CommandForm::by>("by", "Name of the user who wants it.").or_default(),
                   wire::field<&CommandForm::options>("options", "Of a prompt.").or_default(),
                   wire::field<&CommandForm::attachments>("attachments", "Of a prompt.").or_default(),
                   wire::field<&CommandForm::context>("context", "Of a prompt.").or_default(),
                   wire::field<&CommandForm::changes>("changes", "What is set.").or_default(),
                   wire::field<&CommandForm::given>("given", "The answer.").or_default());
};

}  // namespace
}  // namespace parlance::store

namespace parlance::wire {

template <>
struct Describe<hub::ConversationChanges> {
  using C = hub::ConversationChanges;
  static constexpr auto wire = fields(
      field<&C::title>("title", "Its new title."), field<&C::mode>("mode", "Its new mode."),
      field<&C::model>("model", "Its new model."), field<&C::think>("think", "Whether it thinks."),
      field<&C::archived>("archived", "Whether it is put away."), field<&C::access>("access", "What others may do with it."));
};
template <>
struct Describe<hub::GivenAnswer> {
  using G = hub::GivenAnswer;
  static constexpr auto wire =
      fields(field<&G::digest>("digest", "Of what was shown."), field<&G::option>("option", "What was chosen."),
             field<&G::text>("text", "What was written."), field<&G::answers>("answers", "To questions."),
             field<&G::edited>("edited", "What was made of it."), field<&G::by>("by", "Who answered."));
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

// SPDX-License-Identifier: Apache-2.0
// The fields of each command: in the rows of a shared store (command_forms.h) and in the requests of pages
// (protocol/page/command_messages.h). Any thread.
#pragma once

#include <concepts>
#include <type_traits>

#include "parlance/hub/conversation/command.h"
#include "parlance/wire_form/hub_tables.h"

namespace parlance::wire {

// Without the attachments: their bytes have a form of their own in the store and on the page.
template <>
struct Describe<hub::SendPrompt> {
  using C = hub::SendPrompt;
  static constexpr auto wire =
      fields(field<&C::text>("text", "Text of the person. May be empty with attachments."),
             field<&C::context>("context", "Context of an editor. The agent receives the context with the text.").or_default(),
             field<&C::options>("options", "Settings of the frontend for this turn. Absent: none.").or_default());
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
  static constexpr auto wire = fields(
      field<&hub::StopTurn::only_own>("only_own", "True: stop only a turn that a prompt of the caller started. Absent: any turn.")
          .or_default());
};
template <>
struct Describe<hub::ConversationChanges> {
  using C = hub::ConversationChanges;
  static constexpr auto wire =
      fields(field<&C::title>("title", "The new title."), field<&C::mode>("mode", "The new mode, from now on."),
             field<&C::model>("model", "Name of the new model, from the next turn on."),
             field<&C::think>("think", "True: the model thinks, from the next turn on."),
             field<&C::archived>("archived", "True: archive the conversation. False: restore it."),
             field<&C::access>("access", "The new access of other users."));
};
template <>
struct Describe<hub::ChangeSettings> {
  static constexpr auto wire = fields(field<&hub::ChangeSettings::changes>("changes", "The changed members."));
};
template <>
struct Describe<hub::SetOption> {
  using C = hub::SetOption;
  static constexpr auto wire =
      fields(field<&C::option>("option", "Id of one of the agent's options."),
             field<&C::value>("value", "A value of the option, or true or false. Applies from the next turn at the latest."));
};
template <>
struct Describe<hub::Answer> {
  using A = hub::Answer;
  static constexpr auto wire =
      fields(field<&A::digest>("digest", "Digest of the shown content. The answer is valid for exactly this content."),
             field<&A::option>("option", "Id of the selected option."), field<&A::text>("text", "Feedback or a note."),
             field<&A::answers>("answers", "Answers to the questions, in their order. Each answer is a list.").or_default(),
             field<&A::edited>("edited", "With an allowing option: the `editable` part after edits by the person."),
             field<&A::by>("by", "Name of the user who answered."));
};
template <>
struct Describe<hub::AnswerRequest> {
  using C = hub::AnswerRequest;
  static constexpr auto wire = fields(field<&C::request>("request", "Id of the request for a person."),
                                      field<&C::answer>("answer", "Selected option and text of the answer."));
};
template <>
struct Describe<hub::RepeatRequest> {
  static constexpr auto wire = fields(field<&hub::RepeatRequest::request>("request", "Id of an orphaned request."));
};
template <class C>
  requires std::is_empty_v<C> && std::convertible_to<C, hub::Command>
struct Describe<C> {
  static constexpr auto wire = fields();
};

}  // namespace parlance::wire

// SPDX-License-Identifier: Apache-2.0
// Questions and messages to the person. Values; any thread.
#pragma once

#include "parlance/protocol/editor/values.h"

namespace parlance::hub::editor {

constexpr auto wire_names(Level) { return wire::names("info", "warning", "error"); }

}  // namespace parlance::hub::editor

namespace parlance::wire {

template <>
struct Describe<hub::editor::DialogOption> {
  using DialogOption = hub::editor::DialogOption;
  static constexpr auto wire =
      fields(field<&DialogOption::id>("id", "Id of the option, returned as the choice."),
             field<&DialogOption::label>("label", "Label of the button."),
             field<&DialogOption::is_default>("isDefault", "True: the Enter key selects this option.").or_absent(),
             field<&DialogOption::dangerous>("isDanger", "True: the option has an effect that cannot be undone.").or_absent());
};
template <>
struct Describe<hub::editor::ConfirmDialog> {
  using ConfirmDialog = hub::editor::ConfirmDialog;
  static constexpr auto wire = fields(field<&ConfirmDialog::title>("title", "Title of the dialog."),
                                      field<&ConfirmDialog::message>("message", "Text of the question."),
                                      field<&ConfirmDialog::detail>("detail", "Smaller text below the question."),
                                      field<&ConfirmDialog::options>("options", "Buttons of the dialog."));
};

}  // namespace parlance::wire

namespace parlance::editor {

using hub::editor::ConfirmDialog;
using hub::editor::DialogOption;
using hub::editor::Level;

struct Choice {
  bool success = true;
  Nullable<std::string> choice{};  // Null: dismissed. A failure has no choice at all.
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&Choice::success>("success", doc::success),
             field<&Choice::choice>("choice", "Id of the selected option. Null: the person closed the dialog."),
             field<&Choice::error>("error", doc::error));
};

struct ShowMessage {
  Level level = Level::info;
  std::string message{};
  static constexpr auto wire = fields(field<&ShowMessage::level>("level", "Severity of the message."),
                                      field<&ShowMessage::message>("message", "Text for the person."));
};

}  // namespace parlance::editor

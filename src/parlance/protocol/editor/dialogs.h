// SPDX-License-Identifier: Apache-2.0
// What the person is asked and told. Values; any thread.
#pragma once

#include "parlance/protocol/editor/values.h"

namespace parlance::editor {

struct DialogOption {
  std::string id{};
  std::string label{};
  std::optional<bool> is_default{};
  std::optional<bool> is_danger{};
  static constexpr auto wire =
      fields(field<&DialogOption::id>("id", "What comes back."), field<&DialogOption::label>("label", "On the button."),
             field<&DialogOption::is_default>("isDefault", "Enter takes it."),
             field<&DialogOption::is_danger>("isDanger", "Cannot be undone."));
};
struct ConfirmDialog {
  std::string title{};
  std::string message{};
  std::optional<std::string> detail{};
  std::vector<DialogOption> options{};
  static constexpr auto wire = fields(
      field<&ConfirmDialog::title>("title", "Of the dialog."), field<&ConfirmDialog::message>("message", "The question."),
      field<&ConfirmDialog::detail>("detail", "Below it, smaller."), field<&ConfirmDialog::options>("options", "The buttons."));
};
struct Choice {
  bool success = true;
  Nullable<std::string> choice{};  // null: dismissed, while a failure has no choice at all
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&Choice::success>("success", doc::success),
             field<&Choice::choice>("choice", "An option's id; null: dismissed."), field<&Choice::error>("error", doc::error));
};

enum class Level : std::uint8_t { info, warning, error };
constexpr auto wire_names(Level) { return wire::names("info", "warning", "error"); }

struct ShowMessage {
  Level level = Level::info;
  std::string message{};
  static constexpr auto wire =
      fields(field<&ShowMessage::level>("level", "How bad."), field<&ShowMessage::message>("message", "For the person."));
};

}  // namespace parlance::editor

// SPDX-License-Identifier: Apache-2.0
// Asks of an agent, put to the person in their editor: a change as a diff there, everything else as a dialog. If the editor goes, or does
// not know how, nothing is allowed. Loop thread only.
#pragma once

#include <optional>

#include "apps/parlance/terminal/following.h"
#include "parlance/async/cancel.h"
#include "parlance/hub/editor/editor.h"
#include "parlance/hub/hub.h"

namespace parlance::app {

class EditorAsks final : public AskAnswerer {
 public:
  // `otherwise`: who answers what a dialog cannot (questions, and words), and while no editor is connected; all of them outlive it.
  // `told`: where a person who looks elsewhere hears that the editor asks; null: nowhere.
  EditorAsks(hub::Hub& hub, hub::Editor& editor, AskAnswerer& otherwise, TerminalOutput* told = nullptr)
      : hub_(hub), editor_(editor), otherwise_(otherwise), told_(told) {}

  Task<Result<void>> settle(hub::Ask ask) override;
  void interrupt();  // the turn is stopped: what is asked there is taken back

 private:
  Task<Result<hub::GivenAnswer>> in_editor(hub::Ask ask);
  Task<Result<hub::GivenAnswer>> in_diff(const hub::Ask& ask);
  Task<Result<hub::GivenAnswer>> in_dialog(const hub::Ask& ask);

  hub::Hub& hub_;
  hub::Editor& editor_;
  AskAnswerer& otherwise_;
  TerminalOutput* told_;
  std::optional<CancelSource> asking_{};  // while somebody is asked there
};

}  // namespace parlance::app

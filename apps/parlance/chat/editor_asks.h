// SPDX-License-Identifier: Apache-2.0
// Puts an agent's requests to the person in their editor: a change as a diff, any other request as a dialog. An editor of the
// first version (driver/editor/editor_via_bridge.h) cannot ask: the editor shows the change with showDiff, and `otherwise` asks.
// A disconnect or failure of the editor allows nothing. Loop thread only.
#pragma once

#include <optional>

#include "apps/parlance/terminal/following.h"
#include "parlance/async/cancel.h"
#include "parlance/hub/editor/editor.h"
#include "parlance/hub/hub.h"

namespace parlance::app {

class EditorAsks final : public AskAnswerer {
 public:
  // `otherwise` answers questions and requests for text, and every request without an asking editor. All arguments outlive this
  // object. `terminal` shows a note about the editor's request; null: no note.
  EditorAsks(hub::Hub& hub, hub::Editor& editor, AskAnswerer& otherwise, TerminalOutput* terminal = nullptr)
      : hub_(hub), editor_(editor), otherwise_(otherwise), terminal_(terminal) {}

  Task<Result<void>> settle(hub::Ask ask) override;
  void interrupt();  // the turn stops: withdraws the request from the editor

 private:
  Task<void> show(const hub::Ask& ask);
  Task<Result<hub::Answer>> in_editor(hub::Ask ask);
  Task<Result<hub::Answer>> in_diff(const hub::Ask& ask);
  Task<Result<hub::Answer>> in_dialog(const hub::Ask& ask);

  hub::Hub& hub_;
  hub::Editor& editor_;
  AskAnswerer& otherwise_;
  TerminalOutput* terminal_;
  std::optional<CancelSource> asking_{};  // during a request in the editor
};

}  // namespace parlance::app

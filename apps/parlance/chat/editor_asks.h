// Asks of an agent, put to the person in their editor: a change as a diff there, everything else as a dialog. If the editor goes, or does
// not know how, nothing is allowed. Loop thread only.
#pragma once

#include "apps/parlance/terminal/following.h"
#include "parlance/hub/editor/editor.h"
#include "parlance/hub/hub.h"

namespace parlance::app {

class EditorAsks final : public AskAnswerer {
 public:
  // `otherwise`: who answers what a dialog cannot (questions, and words); all of them outlive it.
  EditorAsks(hub::Hub& hub, hub::Editor& editor, AskAnswerer& otherwise) : hub_(hub), editor_(editor), otherwise_(otherwise) {}

  Task<Result<void>> settle(hub::Ask ask) override;

 private:
  Task<Result<hub::GivenAnswer>> in_diff(const hub::Ask& ask);
  Task<Result<hub::GivenAnswer>> in_dialog(const hub::Ask& ask);

  hub::Hub& hub_;
  hub::Editor& editor_;
  AskAnswerer& otherwise_;
};

}  // namespace parlance::app

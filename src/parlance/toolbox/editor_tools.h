// SPDX-License-Identifier: Apache-2.0
// Tools of the person's editor in addition to `inner`: selection, open files, problems, proposed changes, and methods of other
// extensions. For agents with our tools, in a conversation with an editor. Loop thread only; all references must outlive the
// tools.
//
// A proposal changes nothing before the person's acceptance in the editor. This acceptance is the answer, and no card asks a
// second time, except where an editor's acceptance does not suffice (guarded places). The person's version is written, under the
// same guard as any other edit.
#pragma once

#include <string>
#include <vector>

#include "parlance/hub/agent/tools.h"
#include "parlance/hub/editor/editor.h"
#include "parlance/toolbox/judged_files.h"
#include "parlance/toolbox/kept_intents.h"

namespace parlance::toolbox {

// The tools of `inner`, and those of an editor.
class EditorTools final : public hub::Tools {
 public:
  EditorTools(hub::Tools& inner, hub::Editor& editor, Worker& worker) : inner_(inner), editor_(editor), files_(worker) {}

  std::vector<hub::ToolSpec> list() const override;
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup& setup, const hub::ToolCall& call) override;
  std::optional<hub::ToolCall> edited(const hub::ToolCall& call, const hub::ToolIntent& intent, std::string_view text) override {
    return inner_.edited(call, intent, text);
  }
  Task<hub::ToolOutcome> call(const hub::SessionSetup& setup, const hub::ToolCall& call, hub::ToolHost host) override;

 private:
  Task<Result<hub::ToolIntent>> proposal(const hub::SessionSetup& setup, const hub::ToolCall& call);
  Task<Result<hub::ToolOutcome>> run(Folders folders, hub::ToolCall call);
  Task<Result<std::string>> selection();
  Task<Result<std::string>> open_files();
  Task<Result<std::string>> diagnostics(hub::ToolCall call);
  Task<Result<hub::ToolIntent>> added(hub::ToolCall call);
  Task<Result<std::string>> added_methods();
  Task<Result<std::string>> call_added(hub::ToolCall call);
  Task<Result<hub::ToolOutcome>> propose(Folders folders, hub::ToolCall call);

  hub::Tools& inner_;
  hub::Editor& editor_;
  JudgedFiles files_;
  KeptIntents<workspace::FileChange> proposed_;
};

}  // namespace parlance::toolbox

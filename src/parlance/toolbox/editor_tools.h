// SPDX-License-Identifier: Apache-2.0
// Tools that reach into the person's editor, beside those of `inner`: what is selected and open there, what is wrong, a change that is
// proposed there, and what other extensions have added to it. For agents whose tools we run, in a conversation that has an editor. Loop thread only; what it refers to outlives it.
//
// A proposal is no edit before the person accepts it in the editor: that is their answer, and no card asks a second time, except where no
// acceptance in an editor is enough (guarded places). Written is what they made of it, under the same guard as any other edit.
#pragma once

#include <string>
#include <vector>

#include "parlance/hub/editor/editor.h"
#include "parlance/hub/tools.h"
#include "parlance/toolbox/judged_files.h"
#include "parlance/toolbox/kept_intents.h"

namespace parlance::toolbox {

// The tools of `inner`, and those of an editor.
class EditorTools final : public hub::Tools {
 public:
  EditorTools(hub::Tools& inner, hub::Editor& editor, Worker& worker) : inner_(inner), editor_(editor), files_(worker) {}

  std::vector<hub::ToolSpec> list() const override;
  Task<Result<hub::ToolIntent>> intent(const hub::Conversation& conversation, const hub::ToolCall& call) override;
  std::optional<hub::ToolCall> edited(const hub::ToolCall& call, const hub::ToolIntent& intent, std::string_view text) override {
    return inner_.edited(call, intent, text);
  }
  Task<hub::ToolOutcome> call(const hub::Conversation& conversation, const hub::ToolCall& call, hub::ToolHost host) override;

 private:
  Task<Result<hub::ToolIntent>> proposal(const hub::Conversation& conversation, const hub::ToolCall& call);
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

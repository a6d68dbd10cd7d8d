// SPDX-License-Identifier: Apache-2.0
// The tools of every conversation: files of its folder, commands, memory, and the conversation itself. They parse JSON arguments
// into the typed calls of hub/. Loop thread only; all references must outlive the tools.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "parlance/agent/backend.h"
#include "parlance/async/worker.h"
#include "parlance/hub/agent/tools.h"
#include "parlance/toolbox/command_check.h"
#include "parlance/toolbox/edited_call.h"
#include "parlance/toolbox/judged_files.h"
#include "parlance/toolbox/kept_intents.h"
#include "parlance/toolbox/memory_tools.h"
#include "parlance/toolbox/open_files.h"
#include "parlance/workspace/command_tool.h"

namespace parlance::toolbox {

class BuiltinTools final : public hub::Tools {
 public:
  // `memory` may be null: there are then no memory tools.
  BuiltinTools(Loop& loop, workspace::CommandRunner& commands, agent::AgentBackend* memory);

  void offer_only(const std::vector<std::string>& names);  // Only these tools; call before the first tool call.
  // Files in this folder count as inside, and are named by absolute path. `folder` is absolute and exists.
  void add_folder(std::string folder) { more_folders_.push_back(std::move(folder)); }

  // From now on, for conversations with open files of an editor.
  void use(OpenFiles& files) { open_files_ = &files; }

  std::vector<hub::ToolSpec> list() const override { return specs_; }
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup& setup, const hub::ToolCall& call) override;
  std::optional<hub::ToolCall> edited(const hub::ToolCall& call, const hub::ToolIntent& intent, std::string_view text) override {
    return edited_call(call, intent, text);
  }
  Task<hub::ToolOutcome> call(const hub::SessionSetup& setup, const hub::ToolCall& call, hub::ToolHost host) override;

 private:
  bool offers(std::string_view tool) const { return std::ranges::find(specs_, tool, &hub::ToolSpec::name) != specs_.end(); }
  Folders folders(const hub::SessionSetup& setup) const;
  Task<Result<hub::ToolIntent>> edit_intent(std::string conversation, Folders folders, std::string key, hub::ToolCall call);
  Task<Result<hub::ToolOutcome>> run(const hub::SessionSetup& setup, const hub::ToolCall& call, hub::ToolOutputSink output);
  // The approved intent of a call, which the call carries out exactly: this change, this file, this program.
  struct Prepared {
    std::optional<workspace::FileChange> change{};
    std::optional<workspace::ResolvedPath> place{};
    std::optional<workspace::PlainCommand> plain{};
    std::optional<std::string> scripts{};  // CommandCheck::scripts at the time of the question.
    bool open = false;                     // The change concerns the text in the editor, and is made there.
  };
  Task<Result<hub::ToolIntent>> read_intent(Folders folders, std::string key, std::string path, std::string title);
  Task<Result<hub::ToolIntent>> command_intent(std::string folder, std::string key, std::string command);
  Task<Result<hub::ToolOutcome>> read(std::string conversation, Folders folders, hub::ToolCall call,
                                      std::optional<workspace::ResolvedPath> at);
  Task<Result<hub::ToolOutcome>> apply_change(std::string conversation, Folders folders, Prepared prepared);
  Task<Result<void>> write_open(std::string conversation, workspace::FileChange change);
  Task<Result<hub::ToolOutcome>> run_command(std::string folder, hub::ToolCall call, Prepared prepared,
                                             hub::ToolOutputSink output);

  // Runs `work(FileTools, ResolvedPath)` at the approved place. Without an approval, at the real place of `path`, if inside.
  template <class F>
  Task<std::invoke_result_t<F&, const workspace::FileTools&, const workspace::ResolvedPath&>> with_file(
      Folders folders, std::string path, std::optional<workspace::ResolvedPath> judged, F work);

  workspace::CommandRunner& commands_;
  std::optional<MemoryTools> memory_;
  OpenFiles* open_files_ = nullptr;
  std::vector<hub::ToolSpec> specs_;
  std::vector<std::string> more_folders_;
  KeptIntents<Prepared> prepared_;
  Worker worker_;
  JudgedFiles files_{worker_};
  CommandCheck check_{commands_, worker_};
};

}  // namespace parlance::toolbox

// SPDX-License-Identifier: Apache-2.0
// Serves Claude Code's twelve editor tools with an editor. Any number of clients; the names of their proposals are separate. Loop
// thread only; server and editor must outlive the object.
#pragma once

#include "parlance/face/ide/claude_messages.h"
#include "parlance/face/ide/proposals.h"
#include "parlance/protocol/mcp/server.h"

namespace parlance::face::claude_ide {

class ClaudeTools {
 public:
  ClaudeTools(mcp::Server& server, Loop& loop, hub::Editor& editor);

 private:
  using Called = Task<Result<mcp::CallToolResult>>;
  template <class Arguments, class Reply>
  void add(mcp::Server& server, const wire::Call<Arguments, Reply>& tool, bool reads, Called (ClaudeTools::*handler)(Arguments));

  Called open_file(OpenFile wanted);
  Called open_diff(OpenDiff wanted);
  Called current_selection(Nothing);
  Called latest_selection(Nothing);
  Called open_editors(Nothing);
  Called workspace_folders(Nothing);
  Called diagnostics(DiagnosticsOf wanted);
  Called check_dirty(OneFile wanted);
  Called save_document(OneFile wanted);
  Called close_tab(CloseTab wanted);
  Called close_all_diffs(Nothing);
  Called execute_code(ExecuteCode);
  Called selected(Result<hub::editor::Selected> found);

  hub::Editor& editor_;
  ide::Proposals proposals_;
};

}  // namespace parlance::face::claude_ide

// SPDX-License-Identifier: Apache-2.0
// Serves an ACP agent's requests for files and terminals from the workspace of its conversation. Loop thread only; the workspace
// must outlive the object.
#pragma once

#include "parlance/driver/acp/settings.h"
#include "parlance/hub/agent/workspace.h"
#include "parlance/protocol/acp/client_handler.h"

namespace parlance::driver {

class WorkspaceCalls : public acp::ClientHandler {
 public:
  WorkspaceCalls(hub::Workspace& workspace, const AcpAgentSettings& settings)
      : workspace_(workspace), files_(settings.files), terminals_(settings.terminals) {}

  // Refusals of the workspace have the codes and texts of ACP: -32002 for a missing file, -32602 for invalid parameters;
  // unknown_method if the settings offer no files or terminals.
  Task<Result<acp::FileText>> read_text_file(acp::ReadTextFile what) override;
  Task<Result<acp::FileWritten>> write_text_file(acp::WriteTextFile what) override;
  Task<Result<acp::TerminalCreated>> create_terminal(acp::CreateTerminal what) override;
  Result<acp::TerminalOutput> terminal_output(const acp::OfTerminal& which) override;
  Task<Result<acp::TerminalExit>> wait_for_exit(acp::OfTerminal which) override;
  Result<acp::EmptyReply> kill_terminal(const acp::OfTerminal& which) override;
  Result<acp::EmptyReply> release_terminal(const acp::OfTerminal& which) override;

 protected:
  ~WorkspaceCalls() = default;
  // The asking agent. Gemini reads a new file before its creation, and ends the call at any error: for Gemini, a missing file has
  // an empty text.
  virtual const acp::InitializeResult& asker() = 0;

 private:
  hub::Workspace& workspace_;
  bool files_;
  bool terminals_;
};

acp::TerminalExit exit_of(const hub::TerminalExit& exit);

}  // namespace parlance::driver

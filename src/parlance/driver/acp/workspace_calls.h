// SPDX-License-Identifier: Apache-2.0
// Files and terminals that an ACP agent asks for, from the workspace of its conversation. Loop thread only; the workspace outlives it.
#pragma once

#include "parlance/driver/acp/settings.h"
#include "parlance/hub/workspace.h"
#include "parlance/protocol/acp/messages.h"

namespace parlance::driver {

class WorkspaceCalls {
 public:
  WorkspaceCalls(hub::Workspace& workspace, const AcpAgentSettings& settings)
      : workspace_(workspace), files_(settings.files), terminals_(settings.terminals) {}

  // Refusals of the workspace have the codes and texts of ACP: -32002 for a missing file, -32602 for invalid parameters; unknown_method if
  // the settings offer no files or terminals. `agent` is the agent's own account of itself: Gemini reads a new file before it writes it, and
  // ends the call at any error. It gets an empty text for a missing file.
  Task<Result<acp::FileText>> read(acp::ReadTextFile what, const acp::InitializeResult& agent);
  Task<Result<acp::FileWritten>> write(acp::WriteTextFile what);
  Task<Result<acp::TerminalCreated>> create(acp::CreateTerminal what);
  Result<acp::TerminalOutput> output(const acp::OfTerminal& which) const;
  Task<Result<acp::TerminalExit>> wait(acp::OfTerminal which);
  Result<acp::EmptyReply> kill(const acp::OfTerminal& which);
  Result<acp::EmptyReply> release(const acp::OfTerminal& which);

 private:
  hub::Workspace& workspace_;
  bool files_;
  bool terminals_;
};

acp::TerminalExit exit_of(const hub::TerminalExit& exit);

}  // namespace parlance::driver

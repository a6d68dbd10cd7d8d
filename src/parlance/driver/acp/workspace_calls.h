// SPDX-License-Identifier: Apache-2.0
// Files and terminals that an ACP agent asks for, from the workspace of its conversation. Loop thread only; the workspace outlives it.
#pragma once

#include "parlance/hub/workspace.h"
#include "parlance/protocol/acp/messages.h"

namespace parlance::driver {

class WorkspaceCalls {
 public:
  explicit WorkspaceCalls(hub::Workspace& workspace) : workspace_(workspace) {}

  // What a workspace refuses is told with the codes and texts of ACP: -32002 for what is not there, -32602 for what makes no sense.
  Task<Result<acp::FileText>> read(acp::ReadTextFile what);
  Task<Result<acp::FileWritten>> write(acp::WriteTextFile what);
  Task<Result<acp::TerminalCreated>> create(acp::CreateTerminal what);
  Result<acp::TerminalOutput> output(const acp::OfTerminal& which) const;
  Task<Result<acp::TerminalExit>> wait(acp::OfTerminal which);
  Result<acp::EmptyReply> kill(const acp::OfTerminal& which);
  Result<acp::EmptyReply> release(const acp::OfTerminal& which);

 private:
  hub::Workspace& workspace_;
};

acp::TerminalExit exit_of(const hub::TerminalExit& exit);

}  // namespace parlance::driver

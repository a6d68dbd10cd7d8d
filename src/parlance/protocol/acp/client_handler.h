// SPDX-License-Identifier: Apache-2.0
// Receives and answers requests of an agent. Loop thread only; the handler must outlive its client.
#pragma once

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/protocol/acp/errors.h"
#include "parlance/protocol/acp/messages.h"

namespace parlance::acp {

// The defaults refuse, like a client without the capability. Each request runs in a task of its own. The task is destroyed if
// the agent withdraws the request or disconnects.
class ClientHandler {
 public:
  // In the order of the wire; all updates of a turn arrive before the end of its prompt. Unknown kinds arrive as wire::Other.
  virtual void on_update(SessionUpdate update) = 0;
  // Awaited after each update. No input is read meanwhile: the agent waits. `wait_writable` must not wait for an answer of the agent.
  virtual bool congested() const { return false; }
  virtual Task<void> wait_writable() { co_return; }

  // After a cancelled turn, open permissions are answered `cancelled`, and the task is destroyed.
  virtual Task<Result<PermissionReply>> request_permission(RequestPermission) { co_return not_selected(); }

  virtual Task<Result<FileText>> read_text_file(ReadTextFile) { co_return fail(unknown_method(method::read_text_file.method)); }
  virtual Task<Result<FileWritten>> write_text_file(WriteTextFile) {
    co_return fail(unknown_method(method::write_text_file.method));
  }

  virtual Task<Result<TerminalCreated>> create_terminal(CreateTerminal) {
    co_return fail(unknown_method(method::create_terminal.method));
  }
  virtual Result<TerminalOutput> terminal_output(const OfTerminal&) {
    return fail(unknown_method(method::terminal_output.method));
  }
  virtual Task<Result<TerminalExit>> wait_for_exit(OfTerminal) { co_return fail(unknown_method(method::wait_for_exit.method)); }
  virtual Result<EmptyReply> kill_terminal(const OfTerminal&) { return fail(unknown_method(method::kill_terminal.method)); }
  virtual Result<EmptyReply> release_terminal(const OfTerminal&) { return fail(unknown_method(method::release_terminal.method)); }

  virtual Task<Result<ElicitationReply>> elicit(CreateElicitation) { co_return fail(unknown_method(method::elicit.method)); }
  virtual void elicitation_complete(const ElicitationComplete&) {}

  // iFlow. Without a person, questions have no answer and plans are not approved.
  virtual Task<Result<iflow::Answers>> questions(iflow::Questions) { co_return iflow::Answers{}; }
  virtual Task<Result<iflow::PlanDecision>> plan_exit(iflow::PlanExit) { co_return iflow::PlanDecision{}; }

 protected:
  ~ClientHandler() = default;
};

}  // namespace parlance::acp

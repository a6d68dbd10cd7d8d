// SPDX-License-Identifier: Apache-2.0
// What a client of ACP hears and answers. Loop thread only; it outlives the client.
#pragma once

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/protocol/acp/errors.h"
#include "parlance/protocol/acp/messages.h"

namespace parlance::acp {

// All that is not overridden is refused as a client without that capability refuses it. Every request is served by a task of its own,
// which is destroyed when the agent withdraws the request or is gone.
class ClientHandler {
 public:
  // In the order of the wire; all of a turn before its prompt ends. Kinds that are not known come as wire::Other.
  virtual void on_update(SessionUpdate update) = 0;
  // Asked after each update. While it takes no more nothing is read: the agent waits. `room` must not wait for an answer of the agent.
  virtual bool congested() const { return false; }
  virtual Task<void> room() { co_return; }

  // Once a turn is cancelled its open permissions are answered `cancelled`, and the task is destroyed.
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

  // iFlow. Nobody there to answer: no question has an answer, no plan is approved.
  virtual Task<Result<iflow::Answers>> questions(iflow::Questions) { co_return iflow::Answers{}; }
  virtual Task<Result<iflow::PlanDecision>> plan_exit(iflow::PlanExit) { co_return iflow::PlanDecision{}; }

 protected:
  ~ClientHandler() = default;
};

}  // namespace parlance::acp

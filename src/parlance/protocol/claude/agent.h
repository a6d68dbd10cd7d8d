// SPDX-License-Identifier: Apache-2.0
// The agent's side of the protocol, for a host (the Claude agent SDK, an editor) that starts parlance in place of Claude Code.
// Loop thread only. The handler must outlive it. Do not destroy it from inside a handler.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "parlance/async/cancel.h"
#include "parlance/peer/peer.h"
#include "parlance/protocol/claude/dialect.h"
#include "parlance/protocol/claude/forwarded_message.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::claude {

// A host's answer to can_use_tool, or the decision of a PermissionRequest hook. Errors: invalid_params for every answer that
// Claude Code 2.1.332 rejects: absent, not an object, another behavior, an updatedInput that is not an object. The text is for
// the model.
Result<PermissionResult> read_permission(std::string_view json);

class AgentHandler {
 public:
  virtual void on_line(const StreamLine& line) = 0;  // `user`, keep_alive, and messages of newer hosts, in the order of the wire.
  virtual Task<Result<wire::Raw>> initialize(Initialize request) = 0;  // An Initialized, with further members for newer hosts.
  virtual Task<Result<ModeReply>> set_permission_mode(SetPermissionMode request) = 0;
  virtual Task<Result<wire::Raw>> set_model(SetModel request) = 0;
  virtual Task<Result<wire::Raw>> set_max_thinking_tokens(SetMaxThinkingTokens request) = 0;
  virtual Task<Result<Interrupted>> interrupt() = 0;
  virtual Task<Result<McpStatus>> mcp_status() = 0;
  virtual Task<Result<McpReply>> mcp_message(McpMessage message) = 0;
  // Requests that only Claude Code can answer, unchanged.
  virtual Task<Result<wire::Raw>> other(std::string subtype, wire::Raw) { co_return fail(unsupported_request(subtype)); }
  // Awaited after each line. No input is read meanwhile: the host waits. Not awaited while an answer of the host is outstanding.
  virtual bool congested() const { return false; }
  virtual Task<void> wait_writable() { co_return; }
  virtual void asking() {}  // A question to the host is open: its answer must be read.
  // The host ended its input. Returns after the started work; the output is closed afterwards.
  virtual Task<void> input_ended() = 0;

 protected:
  ~AgentHandler() = default;
};

// The agent's end of a connection: sends messages and questions to its host.
class AgentSide final {
 public:
  AgentSide(Loop& loop, std::unique_ptr<Frames> frames, AgentHandler& handler);
  AgentSide(const AgentSide&) = delete;
  AgentSide& operator=(const AgentSide&) = delete;

  Task<Error> run() { return peer_.run(); }  // Runs to the end of input and of `input_ended`; once.

  // Questions wait for a person: no deadline. After the end of input, the error is "Stream closed". Destroying the task
  // withdraws the question. An invalid answer is a refusal.
  Task<Result<PermissionResult>> can_use_tool(CanUseTool request);
  Task<Result<wire::Raw>> hook_callback(const HookCallback& request, Within time) {
    static constexpr auto with_all = claude::hook_callback.as<wire::Raw, wire::Raw>();
    return ask(with_all, write_forwarded(request), time);
  }
  Task<Result<McpReply>> mcp_message(const McpMessage& message, Within time) {
    static constexpr auto with_all = claude::mcp_message.as<wire::Raw, McpReply>();
    return ask(with_all, write_forwarded(message), time);
  }

  // Any other subtype: a request of the agent behind us, unchanged. `request` has no subtype.
  Task<Result<wire::Raw>> request(std::string subtype, wire::Raw request);
  // After the end of input, the hook is sent without waiting for its answer.
  void send_hook(const HookCallback& callback);

  Result<void> send(std::string line) { return peer_.notify(any_line, wire::Raw{.json = std::move(line)}); }  // A JSON object.
  template <class P>
  Result<void> send(const wire::Notice<P>& kind, const std::type_identity_t<P>& message) {
    return peer_.notify(kind, message);
  }
  Task<void> wait_writable() { return peer_.wait_writable(); }  // Waits while the host reads too slowly.
  bool has_room() const { return peer_.has_room(); }
  bool waits_for_answers() const { return peer_.pending_calls() != 0; }
  bool input_open() const { return !input_ended_.cancelled(); }
  PeerStats stats() const { return peer_.stats(); }
  const DialectStats& dialect_stats() const { return dialect_->stats(); }

 private:
  template <class P, class R>
  Task<Result<R>> ask(const wire::Call<P, R>& call, P parameters, Within time) {
    const auto asking = [](Peer& peer, const wire::Call<P, R>& what, P with, Within within) -> Task<Result<R>> {
      co_return co_await peer.call(what, std::move(with), within);
    };
    if (!input_open()) co_return fail(Errc::disconnected, "Stream closed");
    handler_.asking();
    Result<R> answer = co_await under(input_ended_, asking(peer_, call, std::move(parameters), time));
    if (!answer && !input_open()) co_return fail(Errc::disconnected, "Tool permission stream closed before response received");
    co_return answer;
  }
  Router routes();
  PeerSettings settings();

  AgentHandler& handler_;
  CancelSource input_ended_;
  ControlDialect* dialect_;
  Router router_;
  Peer peer_;
  std::uint64_t sent_hooks_ = 0;  // Hooks sent by send_hook.
};

}  // namespace parlance::claude

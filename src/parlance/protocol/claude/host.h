// SPDX-License-Identifier: Apache-2.0
// The host of Claude Code: starts it (or takes its frames), sends requests and answers requests. Requests of the agent are
// served from the first byte, each in a task of its own. A task is destroyed early if the agent withdraws the request or exits.
// Loop thread only. The handler must outlive the host. Do not destroy the host from inside a handler.
//
//   SPAWNED -> initialize sent -> ready -> user sent: busy -> result: ready … -> closing -> ended
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "parlance/async/cancel.h"
#include "parlance/peer/peer.h"
#include "parlance/process/child_process.h"
#include "parlance/protocol/claude/dialect.h"
#include "parlance/protocol/claude/launch.h"
#include "parlance/protocol/claude/limits.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::claude {

// Answers and notifications of a host. The defaults refuse in the words that the agent expects.
class HostHandler {
 public:
  // A line without a control message, in the order of the wire, also relative to requests.
  virtual void on_line(const StreamLine& line) = 0;
  // The request lives until the task ends. Empty updatedInput and message of the result are filled in, because agents refuse the
  // tool without them.
  virtual Task<Result<PermissionResult>> can_use_tool(const CanUseTool& request) = 0;
  // The hook's output. The agent calls only hooks and servers named in `initialize`.
  virtual Task<Result<wire::Raw>> hook_callback(HookCallback request) {
    co_return fail(Errc::not_found, "no such hook: " + request.callback_id);
  }
  virtual Task<Result<McpReply>> mcp_message(McpMessage message) {
    co_return fail(Errc::not_found, "SDK MCP server not found: " + message.server_name);
  }
  // Any other request (elicitation, request_user_dialog, …), unchanged.
  virtual Task<Result<wire::Raw>> other(std::string subtype, wire::Raw) { co_return fail(unsupported_request(subtype)); }
  virtual void on_lost_line(const Error& /*why*/, BytesView /*head*/) {}
  // Awaited after each line. No input is read meanwhile: the agent waits. `wait_writable` must not wait for an answer of the agent.
  virtual bool congested() const { return false; }
  virtual Task<void> wait_writable() { co_return; }

 protected:
  ~HostHandler() = default;
};

// Observed capabilities of the agent. Absent: not observed yet, never "no".
struct Shown {
  std::string version{};  // claude_code_version
  std::string session_id{};
  std::string mode{};
  std::string model{};
  std::vector<std::string> capabilities{};
  bool can(std::string_view capability) const;
};

struct HostSettings {
  std::chrono::milliseconds call_timeout = limits::claude_call_timeout;  // 2.0.76 never answers unknown requests.
  std::function<void(BytesView line)> on_stderr_line{};
};

class Host final {
 public:
  Host(Loop& loop, std::unique_ptr<Frames> frames, HostHandler& handler, HostSettings settings = {});
  // Errors: those of ChildProcess::start.
  static Result<std::unique_ptr<Host>> spawn(Loop& loop, const Launch& launch, HostHandler& handler, HostSettings settings = {});
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  // Reads until the agent ends; the owner starts it once. The error has the reason of the end.
  Task<Error> run() { return peer_->run(); }

  // ---- requests. Pipelining is fine from the first byte.
  auto initialize(Initialize what = {}) { return peer_->call(claude::initialize, std::move(what), within(limits::claude_start)); }
  Task<Result<wire::Raw>> initialize_raw(wire::Raw what);  // With unknown members, in both directions.
  // Validated here: 2.0.76 and 2.1.112 accept any text as a mode.
  Task<Result<std::string>> set_permission_mode(std::string mode);
  Task<Result<void>> set_model(std::string model);                               // Empty: the agent's own choice.
  Task<Result<void>> set_max_thinking_tokens(std::optional<std::int64_t> most);  // Absent: the agent's own choice.
  auto interrupt() { return peer_->call(claude::interrupt, {}); }
  auto mcp_status() { return peer_->call(claude::mcp_status, {}); }
  Task<Result<McpReply>> mcp_message(McpMessage message);
  Task<Result<wire::Raw>> request(std::string subtype, wire::Raw parameters);  // Any other request.

  // ---- messages
  Result<void> send_user(const UserMessage& message);
  Result<void> send_text(std::string_view text);
  Task<void> idle();  // Until every user message has its result, or the agent has ended.
  void keep_alive() { static_cast<void>(peer_->notify(claude::keep_alive, {})); }

  // ---- the end
  // The only clean end: interrupt and wait for the result, close stdin, SIGTERM, SIGKILL, then kill the remaining processes of
  // its tools. Without a child, only the output ends.
  Task<std::optional<ExitStatus>> stop();
  void close_input() { peer_->finish(); }  // A running turn loses its approvals, hooks and MCP calls.

  const Shown& shown() const { return shown_; }
  bool busy() const { return turns_ != 0; }  // A user message has no result yet.
  ChildProcess* child() { return child_.get(); }
  PeerStats stats() const { return peer_->stats(); }
  const DialectStats& dialect_stats() const { return dialect_->stats(); }

 private:
  void take_line(const StreamLine& line);
  void serve();

  Loop& loop_;
  HostHandler& handler_;
  std::string mark_;
  Shown shown_;
  std::uint64_t turns_ = 0;
  Signal turn_ended_;
  CancelSource gone_;  // The agent exited: no handler's answer is needed.
  Router router_;
  ControlDialect* dialect_ = nullptr;
  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<Peer> peer_;
};

bool is_permission_mode(std::string_view mode);

// Content of a user message: text, or a list of blocks.
wire::Raw text_content(std::string_view text);

// Decorative JSON: its text, or empty.
std::string text_of(const wire::Raw& raw);
// The paths of `blocked_path` and `blocked_paths`.
std::vector<std::string> blocked_paths_of(const CanUseTool& request);

}  // namespace parlance::claude

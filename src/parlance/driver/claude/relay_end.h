// SPDX-License-Identifier: Apache-2.0
// The agent's end of a ClaudeRelay: connects a running Claude Code with a frontend's host, in both directions. Loop thread only;
// the entered host must outlive its stay.
#pragma once

#include <optional>
#include <string>

#include "parlance/adapter/claude/relay.h"
#include "parlance/async/task.h"
#include "parlance/protocol/claude/host.h"

namespace parlance::driver {

class RelayEnd {
 public:
  explicit RelayEnd(adapter::ClaudeRelay* relay) : relay_(relay) {}  // null: the agent has no host
  ~RelayEnd() { leave(); }
  RelayEnd(const RelayEnd&) = delete;
  RelayEnd& operator=(const RelayEnd&) = delete;

  void enter(claude::Host& host, const std::optional<Error>& ended);  // `ended`: the reason after its end
  void leave();                                                       // no effect after the entry of the next host

  // ---- requests of Claude Code
  // `ask(request, by_hook)` asks the hub; if the host was asked, its answer is used unchanged.
  template <class Ask>
  Task<Result<claude::PermissionResult>> can_use_tool(const claude::CanUseTool& request, Ask ask) {
    if (relay_ == nullptr || !request.tool_use_id) co_return co_await ask(request, false);
    const std::string call = *request.tool_use_id;
    const adapter::ClaudeRelay::Asking asking(*relay_, call, request);
    co_return asking.as_the_host_said(co_await ask(request, relay_->asked_by_hook.contains(call)));
  }
  Task<Result<wire::Raw>> other(std::string subtype, wire::Raw request);
  bool has_host() const { return relay_ != nullptr; }
  bool has_hooks() const { return relay_ != nullptr && relay_->hook; }
  Task<Result<wire::Raw>> hook(claude::HookCallback request) { return relay_->hook(std::move(request)); }
  Task<Result<claude::McpReply>> mcp_message(claude::McpMessage message);

  // ---- output of Claude Code
  void line(const claude::StreamLine& line) const {
    if (relay_ != nullptr && relay_->line) relay_->line(line);
  }
  void initialized(const wire::Raw& answer) {
    if (relay_ != nullptr) relay_->initialized = answer;
  }
  void session_began() {
    if (relay_ != nullptr) relay_->resume_at.clear();  // once: later starts resume the current session
  }
  bool host_is_slow() const { return relay_ != nullptr && relay_->host_is_slow; }
  Task<void> until_the_host_reads();

 private:
  Result<void> lives() const;
  Task<Result<claude::McpReply>> to_agent(claude::McpMessage message);
  Task<Result<wire::Raw>> requested(std::string subtype, wire::Raw what);
  Task<Result<claude::McpStatus>> status();

  adapter::ClaudeRelay* relay_;
  claude::Host* host_ = nullptr;
  const std::optional<Error>* ended_ = nullptr;
};

}  // namespace parlance::driver

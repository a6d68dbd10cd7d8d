// The face's end of a ClaudeRelay: what a Claude Code that answers in our place says goes to the host as it stands, but for the names
// that the host knows, and its hooks and MCP messages are the host's. Loop thread only; relay and agent side outlive it.
#pragma once

#include <functional>
#include <string>

#include "async/scope.h"
#include "protocol/claude/agent.h"
#include "service/claude_relay.h"

namespace parlance::service {

class RelayedClaude {
 public:
  struct Settings {
    std::string session_id{};  // what the host calls it
    bool partial_messages = false;
    std::function<std::string()> permission_mode{};  // that holds, as the host set it
  };
  // `relay` may be null: then another agent answers, and nothing of this happens.
  RelayedClaude(Loop& loop, ClaudeRelay* relay, claude::AgentSide& host, Settings settings);
  ~RelayedClaude();
  RelayedClaude(const RelayedClaude&) = delete;
  RelayedClaude& operator=(const RelayedClaude&) = delete;

  bool answers() const { return relay_ != nullptr; }
  bool init_told() const { return init_told_; }  // in this turn
  // What the host asks for is kept for the Claude Code that is started next, or asked once more.
  Result<void> initialize(const claude::Initialize& request);
  wire::Raw initialized(const claude::Initialize& request) const;  // what the host hears when it has answered
  Task<Result<claude::McpStatus>> mcp_status();
  Task<Result<claude::McpReply>> mcp_message(claude::McpMessage message);
  Task<Result<wire::Raw>> request(std::string subtype, wire::Raw what);  // any other
  // The line with which it ended its turn; empty when it ended none. The next turn begins.
  std::string take_result();

 private:
  void line(const claude::StreamLine& line);
  Task<Result<wire::Raw>> hook(claude::HookCallback callback);
  std::string as_ours(std::string_view json, std::string_view mode_member) const;
  Task<void> until_the_host_reads();
  void reads();

  ClaudeRelay* relay_;
  claude::AgentSide& host_;
  Settings settings_;
  bool init_told_ = false;
  std::string result_;
  Scope scope_;
};

}  // namespace parlance::service

// SPDX-License-Identifier: Apache-2.0
// The connection of a conversation to its agent, and the session on this connection. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/async/scope.h"
#include "parlance/driver/acp/settings.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/protocol/acp/client.h"

namespace parlance::hub::event {
struct Notice;  // hub/conversation/event.h
}

namespace parlance::driver {

// The choices of a session in their latest state.
struct SessionChoices {
  acp::SessionModes modes{};
  std::optional<acp::SessionModels> models{};
  std::vector<acp::ConfigOption> options{};

  void take(const acp::SessionState& state);
  // Modes of the session, or values of the option of category `mode` for an agent without modes.
  std::vector<std::string> mode_ids() const;
  std::string current_mode() const;
  void set_mode(std::string_view id);  // as reported by the agent
  // Without options about permissions.
  std::vector<hub::AgentOption> as_options() const;
  const acp::ConfigOption* find(std::string_view id) const;
  const acp::ConfigOption* of_category(std::string_view category) const;
};

// Handler of a connection without a session: ignores updates and refuses requests.
struct NoSession final : acp::ClientHandler {
  void on_update(acp::SessionUpdate) override {}
};

class AcpLink {
 public:
  AcpLink(Loop& loop, const AcpAgentSettings& settings, acp::ClientHandler& handler)
      : loop_(loop), settings_(settings), handler_(handler), scope_(loop) {}
  ~AcpLink() { scope_.cancel(); }

  // Connects without a session. Errors: not_found (no such program), and those of connecting.
  Task<Result<void>> open(const std::string& folder);
  bool alive() const { return client_ && !ended_; }
  acp::Client& client() { return *client_; }
  const std::optional<Error>& ended() const { return ended_; }

  Task<Result<void>> begin_session(const hub::SessionSetup& setup, const hub::PromptOptions& options);
  // `replay`: the agent must report the history. Any error except `disconnected` suggests a lost session.
  Task<Result<void>> resume_session(std::string id, const hub::SessionSetup& setup, const hub::PromptOptions& options,
                                    bool replay);
  const std::string& session() const { return session_; }
  bool is_new() const { return is_new_; }  // a new session, not a resumed one
  // The MCP servers that the session lacks.
  std::optional<hub::event::Notice> left_out_servers() const;
  void note_history() { history_received_at_ = loop_.now(); }  // during resume_session
  SessionChoices& choices() { return choices_; }
  const acp::PromptCapabilities& prompt_capabilities() const { return prompt_; }

  // The agent's mode for a mode of the hub; no value if missing.
  std::optional<std::string> agent_mode_of(hub::Mode mode) const;
  std::optional<std::string> asking_mode() const;
  bool can_enforce_plan() const;
  // Sets the agent's mode and returns after its confirmation; does nothing without such a mode.
  Task<Result<void>> apply_mode(hub::Mode mode);
  // The same in the background, after the agent left its mode by itself. Errors are logged.
  void correct_mode(hub::Mode mode);
  Task<Result<void>> apply_model(std::string model);
  Task<Result<void>> apply_option(std::string id, std::string value);
  // The agent has a planning mode. Other agents need an instruction as text.
  bool has_plan_mode() const;

  Task<void> close();

 private:
  Task<Result<void>> open_port(const std::string& folder, acp::ClientSettings client);
  Task<void> close_session();
  Task<Result<std::unique_ptr<acp::Client>>> spawn(const std::string& folder, acp::ClientSettings client, bool refresh);
  Task<void> run();
  Task<void> restore_mode(hub::Mode mode);
  Task<Result<void>> choose_mode(std::string id);
  Task<Result<void>> hold_options();
  Task<void> until_history_is_received();
  acp::InitializeParams initialize_params() const;
  std::vector<acp::McpServer> mcp_servers();
  std::optional<std::vector<std::string>> more_folders(
      const hub::SessionSetup& setup) const;  // for agents with support for several folders
  std::optional<acp::IflowSettings> iflow_settings(const hub::SessionSetup& setup, const hub::PromptOptions& options) const;

  Loop& loop_;
  const AcpAgentSettings& settings_;
  acp::ClientHandler& handler_;
  std::unique_ptr<acp::Client> client_;
  std::optional<ListeningAgent> listening_;  // the agent's program, if the program listens on a port
  std::optional<Error> ended_;
  std::string session_;
  std::vector<std::string> left_out_;  // configured MCP servers without a transport for the agent
  bool is_new_ = false;
  TimePoint history_received_at_{};
  SessionChoices choices_;
  acp::PromptCapabilities prompt_;
  Scope scope_;
};

}  // namespace parlance::driver

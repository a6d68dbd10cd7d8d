// SPDX-License-Identifier: Apache-2.0
// The connection of one conversation with its agent, and the session on it. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/async/scope.h"
#include "parlance/driver/acp/settings.h"
#include "parlance/hub/agent.h"
#include "parlance/protocol/acp/client.h"

namespace parlance::driver {

// What a session has to choose from, as it was last told.
struct SessionChoices {
  acp::SessionModes modes{};
  std::optional<acp::SessionModels> models{};
  std::vector<acp::ConfigOption> options{};

  void take(const acp::SessionState& told);
  // Modes of the session, or values of the option of category `mode` where the agent has no modes.
  std::vector<std::string> mode_ids() const;
  std::string current_mode() const;
  void set_mode(std::string_view id);  // as the agent told it
  // Without those that decide on permission.
  std::vector<hub::AgentOption> as_options() const;
  const acp::ConfigOption* find(std::string_view id) const;
  const acp::ConfigOption* of_category(std::string_view category) const;
};

// Of a connection on which there is no session: whatever the agent tells or wants is of none.
struct NoSession final : acp::ClientHandler {
  void on_update(acp::SessionUpdate) override {}
};

class AcpLink {
 public:
  AcpLink(Loop& loop, const AcpAgentSettings& settings, acp::ClientHandler& handler)
      : loop_(loop), settings_(settings), handler_(handler), scope_(loop) {}
  ~AcpLink() { scope_.cancel(); }

  // Reaches the agent; no session yet. Errors: not_found (no such program), and those of connecting.
  Task<Result<void>> open(const std::string& folder);
  bool alive() const { return client_ && !ended_; }
  acp::Client& client() { return *client_; }
  const std::optional<Error>& ended() const { return ended_; }

  Task<Result<void>> begin_session(const hub::Conversation& conversation, const hub::PromptOptions& options);
  // `replay`: it must tell what was said. A gateway tells what came since we last heard of the session, where we have (`tells_news`). Errors: any is reason to believe that the session is lost, but `disconnected`.
  Task<Result<void>> take_up_session(std::string id, const hub::Conversation& conversation, const hub::PromptOptions& options,
                                     bool replay);
  bool tells_news(const std::string& session) const;
  const std::string& session() const { return session_; }
  bool is_new() const { return is_new_; }  // the session began here, and was not taken up
  // MCP servers that the session is without.
  std::optional<hub::event::Notice> left_out_servers() const;
  void heard_history() { history_heard_at_ = loop_.now(); }  // while take_up_session runs
  SessionChoices& choices() { return choices_; }
  const acp::PromptCapabilities& prompt_capabilities() const { return prompt_; }

  // What stands for it there; nothing where it has none. A gateway's are ours by name.
  std::optional<std::string> agent_mode_of(hub::Mode mode) const;
  std::optional<std::string> asking_mode() const;
  bool can_enforce_plan() const;
  // The agent's mode for ours is in force when this has ended well; nothing where it has none.
  Task<Result<void>> apply_mode(hub::Mode mode);
  // The same in the background, for an agent that left its mode by itself. Errors are logged.
  void correct_mode(hub::Mode mode);
  Task<Result<void>> apply_model(std::string model);
  Task<Result<void>> apply_option(std::string id, std::string value);
  // It plans by itself: by a mode of its own. Otherwise it has to be told in words.
  bool has_plan_mode() const;

  Task<void> close();

 private:
  Task<Result<std::unique_ptr<acp::Client>>> spawn(const std::string& folder, acp::ClientSettings client, bool anew);
  Task<void> run();
  Task<void> put_back(hub::Mode mode);
  Task<Result<void>> choose_mode(std::string id);
  Task<Result<void>> hold_options();
  Task<void> until_history_is_told();
  acp::InitializeParams initialize_params() const;
  std::vector<acp::McpServer> mcp_servers();
  std::optional<std::vector<std::string>> more_folders(
      const hub::Conversation& conversation) const;  // where the agent knows of them
  std::optional<acp::IflowSettings> iflow_settings(const hub::Conversation& conversation,
                                                   const hub::PromptOptions& options) const;

  Loop& loop_;
  const AcpAgentSettings& settings_;
  acp::ClientHandler& handler_;
  std::unique_ptr<acp::Client> client_;
  std::optional<Error> ended_;
  std::string session_;
  std::vector<std::string> left_out_;  // MCP servers of the settings that the agent cannot reach
  bool is_new_ = false;
  TimePoint history_heard_at_{};
  SessionChoices choices_;
  acp::PromptCapabilities prompt_;
  Scope scope_;
};

}  // namespace parlance::driver

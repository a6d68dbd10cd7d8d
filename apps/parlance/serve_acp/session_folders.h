// SPDX-License-Identifier: Apache-2.0
// The sessions of serve-acp: a folder, a store, a hub and an agent for each. So any number of editors may start parlance
// simultaneously, any of them can load a session, and an editor's MCP servers belong to its session alone. Loop thread only.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apps/parlance/config/settings.h"
#include "parlance/async/channel.h"
#include "parlance/async/worker.h"
#include "parlance/face/acp/sessions.h"
#include "parlance/hub/conversation/agent_info.h"

namespace parlance::app {

struct SessionFoldersSettings {
  std::string folder{};                // of the sessions
  std::string agent{};                 // agent of new sessions
  std::vector<std::string> command{};  // the agent's own program, if named by a person
  // For a runner: only these agents, no programs of the client, and the gateway decides everything
  // (HubSettings::asks_everything).
  std::optional<std::vector<std::string>> offered{};
  std::function<Task<Result<std::string>>(std::string folder)>
      find_folder{};          // … and earlier sessions only in still offered folders
  std::string gateway{};      // … the gateway recorded in new sessions (session_marks.h)
  std::chrono::days kept{0};  // … time to keep an unwanted session; zero: unlimited
};

class SessionFolders final : public face::AcpSessions {
 public:
  SessionFolders(Loop& loop, const Settings& settings, SessionFoldersSettings own);
  ~SessionFolders() override;

  Result<void> check(hub::Permission) const override { return {}; }
  hub::AgentInfo agent() const override;
  bool takes_servers() const override { return !own_.offered; }
  Task<Result<face::AcpSessionPtr>> create(face::AcpSessionRequest request) override;
  Task<Result<face::AcpSessionPtr>> open(std::string id, face::AcpSessionRequest request) override;
  Task<Result<std::vector<acp::SessionInfo>>> list(std::optional<std::string> folder) override;
  Task<Result<void>> remove(std::string id) override;
  Task<void> closed(face::AcpSessionPtr session) override;

  // For a runner: its gateway continues these sessions, and, if they are `all`, no others. Unwanted sessions are deleted after
  // SessionFoldersSettings::kept without clients; sessions of other gateways never.
  Task<void> wanted(std::vector<std::string> sessions, bool all);

  // Ends all sessions normally: stops their turns and writes their messages. Deletes sessions without messages.
  Task<void> end();

 private:
  struct Room;
  Result<std::shared_ptr<Room>> make_room(const std::string& id, const std::string& agent, std::vector<acp::McpServer> servers,
                                          const std::vector<std::string>& disallowed_tools);
  Task<Result<void>> open_room(std::string id, std::string agent, face::AcpSessionRequest request);
  Task<void> end_room(std::shared_ptr<Room> room);
  void forget_ended();
  std::string folder_of(const std::string& id) const { return own_.folder + "/" + id; }

  Loop& loop_;
  const Settings& settings_;
  SessionFoldersSettings own_;
  std::map<std::string, std::shared_ptr<Room>> open_;
  std::vector<std::shared_ptr<Room>> ended_;
  std::set<std::string> ending_;  // still at work in their folders
  Signal end_;                    // notified at the end of a session
  Worker worker_;                 // looks into folders
};

}  // namespace parlance::app

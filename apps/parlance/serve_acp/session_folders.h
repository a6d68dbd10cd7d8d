// SPDX-License-Identifier: Apache-2.0
// The sessions of serve-acp: a folder, a store, a hub and an agent for each, so that any number of editors may start us at once, a session
// is found again by whichever of them loads it, and the MCP servers that an editor brings are those of its session alone. Loop thread only.
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

namespace parlance::app {

struct SessionFoldersSettings {
  std::string folder{};                // where they lie
  std::string agent{};                 // who answers in new ones
  std::vector<std::string> command{};  // the agent's own program, when a person named it
  // Of a runner: only these agents, no programs of the client, and whoever is asked decides everything (HubSettings::asks_everything).
  std::optional<std::vector<std::string>> offered{};
  std::function<Task<Result<std::string>>(std::string folder)>
      find_folder{};          // … and sessions of before only where these still are offered
  std::string gateway{};      // … by which they are begun, as each says of itself (session_marks.h)
  std::chrono::days kept{0};  // … how long one stays that this gateway wants no more; zero: for ever
};

class SessionFolders final : public face::AcpSessions {
 public:
  SessionFolders(Loop& loop, const Settings& settings, SessionFoldersSettings own);
  ~SessionFolders() override;

  Result<void> check(hub::Permission) const override { return {}; }
  hub::AgentInfo agent() const override;
  bool takes_servers() const override { return !own_.offered; }
  Task<Result<face::AcpSessionPtr>> create(face::AcpSessionWish wish) override;
  Task<Result<face::AcpSessionPtr>> open(std::string id, face::AcpSessionWish wish) override;
  Task<Result<std::vector<acp::SessionInfo>>> list(std::optional<std::string> folder) override;
  Task<Result<void>> remove(std::string id) override;
  Task<void> closed(face::AcpSessionPtr session) override;

  // Of a runner: its gateway goes on with these, and, if they are `all`, with no others. Those that it wants no more are deleted when nobody was
  // in them for SessionFoldersSettings::kept; those of other gateways never.
  Task<void> wanted(std::vector<std::string> sessions, bool all);

  // All of them, in good order: their turns are stopped, what was said is written. Those in which nothing was said are gone then.
  Task<void> end();

 private:
  struct Room;
  Result<std::shared_ptr<Room>> make_room(const std::string& id, const std::string& agent, std::vector<acp::McpServer> servers,
                                          const std::vector<std::string>& disallowed_tools);
  Task<Result<void>> open_room(std::string id, std::string agent, face::AcpSessionWish wish);
  Task<void> end_room(std::shared_ptr<Room> room);
  void forget_ended();
  std::string folder_of(const std::string& id) const { return own_.folder + "/" + id; }

  Loop& loop_;
  const Settings& settings_;
  SessionFoldersSettings own_;
  std::map<std::string, std::shared_ptr<Room>> open_;
  std::vector<std::shared_ptr<Room>> ended_;
  std::set<std::string> ending_;  // still at work in their folders
  Signal end_;                    // one of them is no more
  Worker worker_;                 // looks into folders
};

}  // namespace parlance::app

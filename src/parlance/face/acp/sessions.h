// SPDX-License-Identifier: Apache-2.0
// Where the sessions of ACP clients live: the face asks for them by name and knows no more. On a gateway all are conversations of one hub,
// which its pages see too (hub_sessions.h); `parlance serve-acp` gives each a store and an agent of its own, so that any number of
// editors may start it at once. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/hub/user_hub.h"
#include "parlance/protocol/acp/session.h"

namespace parlance::face {

// What a client wants of a session that it begins or takes up. Folders are checked: absolute, existing.
struct AcpSessionWish {
  std::string folder{};
  std::vector<std::string> folders{};
  std::optional<hub::Mode> mode{};
  std::string agent{};  // empty: who answers by default
  std::vector<acp::McpServer> servers{};
  std::vector<std::string> disallowed_tools{};  // by name; no mode and no answer allows them
};

// Files as a client's editor has them. Loop thread only; gone with its client, whose calls then fail with `disconnected`.
class AcpClientFiles {
 public:
  virtual bool reads() const = 0;
  virtual bool writes() const = 0;
  // Errors: not_found (whatever number the client says it with), deadline_exceeded, those of the client.
  virtual Task<Result<std::string>> read(std::string path) = 0;
  virtual Task<Result<void>> write(std::string path, std::string text) = 0;

 protected:
  ~AcpClientFiles() = default;
};

// A session that is open, shared by all clients that are attached to it. The hub outlives it.
struct AcpSession {
  std::string id{};  // as clients call it
  hub::UserHub hub;
  std::string conversation{};                   // as the hub calls it
  std::size_t clients = 0;                      // attached now
  std::vector<AcpClientFiles*> files{};         // of those who are attached, in the order in which they came
  bool takes_servers = true;                    // MCP servers of its client reach its agent …
  std::vector<std::string> servers{};           // … these, by their names: of whoever opened it
  std::vector<std::string> disallowed_tools{};  // that its hub refuses
};
using AcpSessionPtr = std::shared_ptr<AcpSession>;

// Where sessions come from: made, opened, listed, deleted. Loop thread only; outlives the face.
class AcpSessions {
 public:
  virtual ~AcpSessions() = default;
  // Whether their client has the permission at all (hub::UserHub::check). A program that a person started for themselves has each.
  virtual Result<void> check(hub::Permission permission) const = 0;
  // Of whom capabilities are told before there is a session; and whether MCP servers of a client reach it.
  virtual hub::AgentInfo agent() const = 0;
  virtual std::vector<hub::AgentInfo> agents() const { return {agent()}; }  // that a client may name
  virtual bool takes_servers() const = 0;
  virtual Task<Result<AcpSessionPtr>> create(AcpSessionWish wish) = 0;
  // Errors: not_found; failed (another program works with it).
  virtual Task<Result<AcpSessionPtr>> open(std::string id, AcpSessionWish wish) = 0;
  // The newest first; those of a folder, or all.
  virtual Task<Result<std::vector<acp::SessionInfo>>> list(std::optional<std::string> folder) = 0;
  virtual Task<Result<void>> remove(std::string id) = 0;
  // The last client has closed it; it can be opened again.
  virtual Task<void> closed(AcpSessionPtr session) = 0;
};

std::vector<std::string> names_of(const std::vector<acp::McpServer>& servers);

// A conversation as an entry of a list.
acp::SessionInfo acp_session_info(const std::string& id, const hub::Conversation& conversation);

}  // namespace parlance::face

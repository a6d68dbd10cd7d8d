// SPDX-License-Identifier: Apache-2.0
// The storage of ACP sessions behind the frontend. A gateway maps sessions to conversations of its hub, shared with its pages
// (hub_sessions.h). `parlance serve-acp` gives each session a separate store and agent, so any number of editors may run it at
// once. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/user_hub.h"
#include "parlance/protocol/acp/session.h"

namespace parlance::hub {
struct Conversation;
}

namespace parlance::face {

// A client's parameters for a new or resumed session. Folders are checked: absolute, existing.
struct AcpSessionRequest {
  std::string folder{};
  std::vector<std::string> folders{};
  std::optional<hub::Mode> mode{};
  std::string agent{};  // empty: the default agent
  std::vector<acp::McpServer> servers{};
  std::vector<std::string> disallowed_tools{};  // by name; forbidden in every mode, even after an answer
};

// Files of a client's editor. Loop thread only; destroyed with the client, whose calls then fail with `disconnected`.
class AcpClientFiles {
 public:
  virtual bool reads() const = 0;
  virtual bool writes() const = 0;
  // Errors: not_found (for any code of the client), deadline_exceeded, those of the client.
  virtual Task<Result<std::string>> read(std::string path) = 0;
  virtual Task<Result<void>> write(std::string path, std::string text) = 0;

 protected:
  ~AcpClientFiles() = default;
};

// An open session, shared by all attached clients. The hub must outlive it.
struct AcpSession {
  std::string id{};  // id for clients
  hub::UserHub hub;
  std::string conversation{};                   // id in the hub
  std::size_t clients = 0;                      // currently attached
  std::vector<AcpClientFiles*> files{};         // of attached clients, in order of attachment
  bool takes_servers = true;                    // the agent can use MCP servers of its client …
  std::vector<std::string> servers{};           // … names of these servers, from the opening client
  std::vector<std::string> disallowed_tools{};  // refused by the hub
};
using AcpSessionPtr = std::shared_ptr<AcpSession>;

// Creates, opens, lists and deletes sessions. Loop thread only; must outlive the frontend.
class AcpSessions {
 public:
  virtual ~AcpSessions() = default;
  // Whether the client has the permission at all (hub::UserHub::check). A program started by a person has every permission.
  virtual Result<void> check(hub::Permission permission) const = 0;
  // The agent for capabilities before a session; and its support for a client's MCP servers.
  virtual hub::AgentInfo agent() const = 0;
  virtual std::vector<hub::AgentInfo> agents() const { return {agent()}; }  // agents that a client may select
  virtual bool takes_servers() const = 0;
  virtual Task<Result<AcpSessionPtr>> create(AcpSessionRequest request) = 0;
  // Errors: not_found; failed (another program uses the session).
  virtual Task<Result<AcpSessionPtr>> open(std::string id, AcpSessionRequest request) = 0;
  // Newest first; of a folder, or all.
  virtual Task<Result<std::vector<acp::SessionInfo>>> list(std::optional<std::string> folder) = 0;
  virtual Task<Result<void>> remove(std::string id) = 0;
  // The last client closed the session; a later open is possible.
  virtual Task<void> closed(AcpSessionPtr session) = 0;
};

// The agent that a client names in `_meta`; empty: the default agent. Other members of `_meta` belong to other programs.
std::string agent_in(const wire::Raw& meta);

std::vector<std::string> names_of(const std::vector<acp::McpServer>& servers);

// A conversation as a list entry.
acp::SessionInfo acp_session_info(const std::string& id, const hub::Conversation& conversation);

}  // namespace parlance::face

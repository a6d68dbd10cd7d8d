// SPDX-License-Identifier: Apache-2.0
// Maps the ACP sessions of a caller (a user with a role and a token) to conversations of a hub: pages show a client's
// conversations, and clients can load a page's conversations. Loop thread only; the hub must outlive the object.
#pragma once

#include <map>
#include <utility>

#include "parlance/face/acp/sessions.h"
#include "parlance/hub/conversation/agent_info.h"

namespace parlance::face {

class HubSessions final : public AcpSessions {
 public:
  // `agent`: the default agent of new sessions; empty: the hub's first.
  explicit HubSessions(hub::UserHub hub, std::string agent = {}) : hub_(std::move(hub)), agent_(std::move(agent)) {}

  Result<void> check(hub::Permission permission) const override { return hub_.check(permission); }
  hub::AgentInfo agent() const override;
  std::vector<hub::AgentInfo> agents() const override { return hub_.agents(); }
  bool takes_servers() const override { return false; }
  Task<Result<AcpSessionPtr>> create(AcpSessionRequest request) override;
  Task<Result<AcpSessionPtr>> open(std::string id, AcpSessionRequest request) override;
  Task<Result<std::vector<acp::SessionInfo>>> list(std::optional<std::string> folder) override;
  Task<Result<void>> remove(std::string id) override;
  Task<void> closed(AcpSessionPtr session) override;

 private:
  const hub::Conversation* find(const std::string& id) const;
  Task<Result<std::string>> adopt(const std::string& id, AcpSessionRequest request);  // returns the conversation's id
  AcpSessionPtr share(const std::string& id, const std::string& conversation);
  hub::UserHub hub_;
  std::string agent_;
  std::map<std::string, std::weak_ptr<AcpSession>> open_;
};

}  // namespace parlance::face

// SPDX-License-Identifier: Apache-2.0
// A store at a gateway, over the page's protocol: a hub with this store shows the gateway's conversations. The gateway owns all of
// them, and checks the permissions of its caller. Commands become requests of the page's protocol.
//
// After the end of a connection, the store reconnects and reads the missed changes and events. A command that is open at the end
// of a connection fails, because the gateway may have executed it. Later commands wait for the next connection. Loop thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "parlance/async/scope.h"
#include "parlance/driver/page/gateway_connection.h"
#include "parlance/driver/page/gateway_copy.h"
#include "parlance/driver/page/owned_elsewhere.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/log/log_reader.h"

namespace parlance::driver {

struct GatewayStoreSettings {
  GatewayConnectionSettings connection{};
  // Reads the bytes of an attachment. No value: unknown. Empty function: no attachment can be read.
  std::function<Task<Result<std::optional<hub::Attachment>>>(std::string id)> attachment{};
  std::function<void(hub::AgentInfo agent)> agent_changed{};
  std::function<void(const std::string& agent)> agent_removed{};
  std::function<void(hub::ServiceInfo service)> service_changed{};
};

class GatewayStore final : public OwnedElsewhere {
 public:
  GatewayStore(Loop& loop, GatewayStoreSettings settings);

  const GatewayCopy& copy() const { return copy_; }
  Task<Result<std::vector<hub::KeptSession>>> sessions(std::string agent, std::string folder);  // of the agent itself

  // A repeatable request of the page without a form in hub::Hub. Errors: those of GatewayConnection::repeat.
  template <class Message>
  Task<Result<typename Message::Value>> request(Message message) {
    return connection_.repeat(std::move(message));
  }
  // The same without repetition, for changes. Errors: those of GatewayConnection::call.
  template <class Message>
  Task<Result<typename Message::Value>> change(Message message) {
    return connection_.call(std::move(message));
  }

  // Connects, and reads the newest conversations (limits::gateway_conversations). Errors: those of the connection.
  Task<Result<hub::Stored>> load() override;
  Task<Result<void>> write(hub::CommitPtr change) override;  // removes rules, or sets limits
  Task<Result<std::vector<hub::Event>>> events(std::string conversation, std::uint64_t after, std::uint64_t before,
                                               std::size_t limit) override;
  Task<Result<std::vector<hub::EventText>>> event_texts(std::string conversation, std::uint64_t after, std::uint64_t before,
                                                        std::size_t limit) override;
  Task<Result<std::vector<hub::Event>>> events_after(std::string conversation, std::uint64_t after, std::uint64_t last,
                                                     std::size_t most_bytes) override;
  Task<Result<hub::LogParts>> parts_with(std::string words, std::uint64_t before, std::size_t limit) override;
  Task<Result<std::optional<hub::Ask>>> ask(std::string id) override;
  Task<Result<std::optional<hub::Attachment>>> attachment(std::string id) override;

  Task<Result<std::optional<hub::Conversation>>> create_at_owner(hub::NewConversation& request, std::string session) override;
  void followed(const std::string& conversation, const std::shared_ptr<hub::ReplicatedLog>& log) override;
  Task<Result<std::vector<hub::ReplicatedConversation>>> read_conversations(std::vector<std::string> conversations) override;
  Task<Result<hub::ReplicationUpdate>> next_update() override;
  Task<Result<std::uint64_t>> settings_version() override { co_return copy_.rules_version(); }
  Task<Result<hub::SettingsSnapshot>> settings_snapshot() override;
  Task<Result<hub::CommandOutcome>> send(hub::Submission command) override;
  Task<Result<std::optional<hub::CommandOutcome>>> withdraw_command(std::string command) override;

 private:
  void connection_changed(const Error* lost);
  void reopen_all();
  Task<void> open(std::string conversation);
  // Closes conversations without a follower: the gateway sends no events of them, and the copy drops their events.
  void close_unfollowed();
  Task<void> close(std::string conversation);
  Task<Result<void>> load_older();
  // The newest `most` events between the numbers, oldest first, in several requests if necessary. 0: all.
  Task<Result<std::vector<hub::Event>>> fetch(std::string conversation, std::uint64_t after, std::uint64_t before,
                                              std::size_t most);

  Loop& loop_;
  GatewayStoreSettings settings_;
  GatewayCopy copy_;
  GatewayConnection connection_;
  std::map<std::string, std::weak_ptr<hub::ReplicatedLog>, std::less<>> logs_;  // of followed conversations
  std::set<std::string, std::less<>> sending_;                                  // commands without an answer
  Scope scope_;                                                                 // destroyed first
};

}  // namespace parlance::driver

// SPDX-License-Identifier: Apache-2.0
// The client's copy of a gateway's state: agents, conversations, open requests and rules, and the newest events of followed
// conversations. Folds snapshots and changes of the page's protocol, and gathers them for a hub. An unreadable part is logged and
// skipped, so a newer gateway breaks nothing else. Loop thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/driver/page/page_link.h"
#include "parlance/driver/page/recent_events.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/hub/policy/policy.h"

namespace parlance::driver {

// An unreadable event becomes a notice with its number, so that the log has no gap. No value: the number is unreadable too.
std::optional<hub::Event> read_event(const wire::Raw& raw);

struct GatewayReports {
  std::function<void(hub::AgentInfo agent)> agent_changed{};
  std::function<void(const std::string& agent)> agent_removed{};  // the newest snapshot does not list the agent
  std::function<void(hub::ServiceInfo service)> service_changed{};
  std::function<void()> snapshot_taken{};  // the gateway has closed all conversations: open them again
};

class GatewayCopy final : public PageListener {
 public:
  GatewayCopy(Loop& loop, GatewayReports reports) : reports_(std::move(reports)), changes_(loop) {}

  // ---- the state. Pointers are valid until the next change.
  bool is_complete() const { return is_complete_; }       // a snapshot was taken
  const page::Snapshot& about() const { return about_; }  // the newest snapshot, without its lists
  const std::vector<hub::AgentInfo>& agents() const { return agents_; }
  const std::map<std::string, hub::Conversation, std::less<>>& rows() const { return rows_; }
  const std::map<std::string, hub::Ask, std::less<>>& asks() const { return asks_; }  // open and orphaned
  const hub::Ask* ask(std::string_view id) const;                                     // settled a moment ago, too
  const std::vector<hub::Rule>& rules() const { return rules_; }                      // newest first
  std::uint64_t rules_version() const { return rules_version_; }
  hub::ReplicatedConversation seen(const hub::Conversation& row) const;

  // ---- followed conversations
  bool follow(const std::string& conversation);    // false: followed already
  bool unfollow(const std::string& conversation);  // drops its events; false: not followed
  const RecentEvents* events(std::string_view conversation) const;
  std::vector<std::string> followed() const;
  void forget(const std::string& conversation);  // removed, or hidden from the caller

  // ---- additions from answers
  Result<hub::Conversation> put_row(const wire::Raw& conversation);
  Result<void> put_ask(const wire::Raw& ask);
  void put_events(const std::string& conversation, const std::vector<wire::Raw>& events);

  // ---- unread changes
  Task<void> changed(TimePoint until);  // waits for a change
  void skip_updates();
  hub::ReplicationUpdate take_update();

 private:
  void on_snapshot(page::Snapshot snapshot) override;
  void on_change(page::Op change) override;
  void take(page::ConversationOp& change);
  void take(page::ConversationRemovedOp& change) { forget(change.id); }
  void take(page::EventsOp& change) { put_events(change.conversation, change.events); }
  void take(page::AskOp& change);
  void take(page::RuleOp& change);
  void take(page::RuleRemovedOp& change);
  void take(page::AgentOp& change);
  void take(page::ServiceOp& change);
  void replace_rows(const page::Snapshot& snapshot);
  void replace_agents(const std::vector<wire::Raw>& listed);
  void put(hub::Conversation row);
  void put(hub::Ask ask);
  void put(hub::AgentInfo agent);
  // Large events leave the gateway before the state of their request, and a frontend asks a person only about open requests.
  void put_request_of(const hub::Event& event);
  void note(std::set<std::string>& changed, const std::string& conversation);

  GatewayReports reports_;
  bool is_complete_ = false;
  page::Snapshot about_{};
  std::vector<hub::AgentInfo> agents_;
  std::map<std::string, hub::Conversation, std::less<>> rows_;
  std::map<std::string, hub::Ask, std::less<>> asks_;
  std::deque<hub::Ask> settled_;  // newest last
  std::vector<hub::Rule> rules_;
  std::uint64_t rules_version_ = 1;
  std::map<std::string, RecentEvents, std::less<>> followed_;
  // Unread changes.
  std::set<std::string> changed_;
  std::set<std::string> new_events_;
  std::vector<std::string> removed_;
  std::uint64_t read_rules_ = 1;
  Signal changes_;
};

}  // namespace parlance::driver

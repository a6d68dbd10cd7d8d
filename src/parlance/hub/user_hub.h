// SPDX-License-Identifier: Apache-2.0
// The hub with the permissions of one caller: every frontend holds a value for each connection. A UserHub shows only readable
// conversations, executes only permitted commands, and logs them in the caller's name. Objects hidden from the caller fail with
// not_found, like unknown ids. Visible objects without the permission fail with `denied` and a hint. The table is team/rights.h.
// Loop thread only; the hub must outlive the value unless a member says otherwise.
//
// Each check uses the current team: after a revoked token, a disabled user or a changed role the handle permits nothing further,
// even for old connections and tasks.
//
// Without a team the caller is the person of the machine with all permissions, and no check needs a lookup or a copy.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/team/rights.h"

namespace parlance::hub {

class UserHub {
 public:
  // The default caller is the person of this machine, as for programs in a terminal.
  UserHub(Hub& hub, CallerPtr caller = person_of_this_machine());

  const CallerPtr& caller() const { return caller_; }
  bool may(const Conversation& conversation, Permission permission) const;
  bool may_read(std::string_view conversation) const;
  // For dispatchers, before a message reaches its handler: whether the caller has the permission at all. The methods below check
  // the conversation. Errors: denied, with the person who can help.
  Result<void> check(Permission permission) const;
  // Ownership, independent of the table.
  bool is_own(const Conversation& conversation) const;
  const TeamPtr& team() const { return hub_->team(); }

  // The methods of the hub, documented in hub.h. Further errors: denied and not_found, as above.
  std::vector<AgentInfo> agents() const;  // usable agents: of runners only the caller's own
  Task<Result<void>> look_for_agents();
  Result<void> close_agents(std::string_view agent);

  Task<Result<Conversation>> create(NewConversation request);
  Task<Result<std::vector<KeptSession>>> kept_sessions(std::string agent, std::string folder);
  Task<Result<FilesFound>> find_files(std::string agent, FilesWanted wanted);
  // Searches the folders of a conversation that the caller may prompt, and ignores the folders of `wanted`.
  Task<Result<FilesFound>> find_files_of(std::string conversation, FilesWanted wanted);
  Task<Result<Conversation>> adopt(NewConversation request, std::string agent_session);
  // Checks the permission of the command's row. An answer sets Answer::by.
  template <class C>
  Task<Result<typename C::Result>> submit(std::string conversation, C command) {
    PARLANCE_CO_TRY_DO(check(conversation, rules_of<C>.permission));
    if constexpr (std::is_same_v<C, AnswerRequest>)
      if (!caller_->user.empty()) command.answer.by = caller_->name;
    co_return co_await hub_->submit(std::move(conversation), std::move(command), caller_);
  }
  Result<void> submit_at_once(std::string conversation, CommandAtOnce command);
  const Conversation* find(std::string_view conversation) const;  // readable conversations only; valid until the next await
  Task<Result<void>> look_for(std::string conversation);
  template <class Item = Event>
  Task<Result<PageOf<Item>>> events(std::string conversation, std::uint64_t after, std::uint64_t before, std::size_t limit) {
    if (!whole_) PARLANCE_CO_TRY_DO(co_await look_for(conversation));
    co_return co_await hub_->events<Item>(std::move(conversation), after, before, limit);
  }
  Task<Result<std::vector<ChatMessage>>> history(std::string conversation);
  Task<Result<std::vector<SearchHit>>> search(std::string words);
  Task<Result<Attachment>> attachment(std::string id);

  Task<Result<std::string>> conversation_of_ask(std::string ask);
  const Ask* find_ask(std::string_view ask) const;
  const ToolIntent* intent_of(std::string_view ask) const { return find_ask(ask) == nullptr ? nullptr : hub_->intent_of(ask); }
  Task<Result<void>> revoke(std::string rule);

  Task<Result<SpendingReport>> spent(std::string since) const;
  Task<Result<void>> set_spending_limits(SpendingLimits limits);

  Snapshot snapshot(std::size_t most = SIZE_MAX) const;               // `most`: Listing::most
  ConversationList list(std::string before, std::size_t most) const;  // a page of Hub::list
  std::unique_ptr<Watcher> watch(Signal* wake = nullptr) const;
  std::shared_ptr<ReplicatedLog> followed(std::string_view conversation) const;
  Loop& loop() const { return hub_->loop(); }

 private:
  friend std::vector<Ask> open_asks(const UserHub& hub);
  std::optional<TeamRole> role() const;  // the current role; no value: access revoked
  bool may_use(const AgentInfo& agent) const;
  Result<void> check_begin(std::string_view agent_id) const;
  Result<void> check_sessions(std::string_view agent_id) const;
  Result<void> check(std::string_view conversation, Permission permission) const;
  ChangePtr visible(const ChangePtr& change) const;
  bool has_rule(const std::optional<std::string>& user) const { return role() && user.value_or("") == caller_->user; }

  Hub* hub_;
  CallerPtr caller_;
  bool whole_;                 // no team
  mutable TeamPtr looked_in_;  // the team of the last lookup: each team is searched once
  mutable bool is_in_ = true;  // the result of the lookup in `looked_in_`
};

std::vector<Ask> open_asks(const UserHub& hub);  // of readable conversations

// The fields visible to a caller with `list` permission only.
Conversation listed_only(const Conversation& conversation);

}  // namespace parlance::hub

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

  // The caller of the constructor; never null. A later change of the role revokes all permissions and leaves this value
  // unchanged.
  const CallerPtr& caller() const { return caller_; }
  // By the current role, the ownership and the access of the conversation; always true without a team. A removed user keeps the
  // permission to list and remove own conversations of single program requests.
  bool may(const Conversation& conversation, Permission permission) const;
  // False for an unknown conversation of a team. Without a team always true: the hub reports the unknown id.
  bool may_read(std::string_view conversation) const;
  // For dispatchers, before a message reaches its handler: whether the caller has the permission at all. The methods below check
  // the conversation. Errors: denied, with the person who can help.
  Result<void> check(Permission permission) const;
  // Ownership, independent of the table.
  bool is_own(const Conversation& conversation) const;
  // Null without a team.
  const TeamPtr& team() const { return hub_->team(); }

  // The methods of the hub, documented in hub.h; a comment here states only the difference. Each method first checks the caller:
  // the further errors are denied and not_found, as above.
  std::vector<AgentInfo> agents() const;  // usable agents: of runners only the caller's own
  // Needs Permission::create.
  Task<Result<void>> look_for_agents();
  // Needs Permission::administer, since the agents of all users end.
  Result<void> close_agents(std::string_view agent);

  // Needs Permission::create and a usable agent. The conversation belongs to the caller, whatever `request.user` says.
  Task<Result<Conversation>> create(NewConversation request);
  // Users of a team receive the sessions of their own runners only. Further error: unknown_method (an agent on the machine of a
  // team's gateway).
  Task<Result<std::vector<KeptSession>>> kept_sessions(std::string agent, std::string folder);
  // Needs Permission::create and a usable agent.
  Task<Result<FilesFound>> find_files(std::string agent, FilesWanted wanted);
  // Searches the folders of a conversation that the caller may prompt, and ignores the folders of `wanted`.
  Task<Result<FilesFound>> find_files_of(std::string conversation, FilesWanted wanted);
  // The checks of `kept_sessions`. The conversation belongs to the caller; not_found also if an unreadable conversation
  // continues the session.
  Task<Result<Conversation>> adopt(NewConversation request, std::string agent_session);
  // Checks the permission of the command's row. An answer sets Answer::by.
  template <class C>
  Task<Result<typename C::Result>> submit(std::string conversation, C command) {
    PARLANCE_CO_TRY_DO(check(conversation, rules_of<C>.permission));
    if constexpr (std::is_same_v<C, AnswerRequest>)
      if (!caller_->user.empty()) command.answer.by = caller_->name;
    co_return co_await hub_->submit(std::move(conversation), std::move(command), caller_);
  }
  // Checks the permission of the command's row.
  Result<void> submit_at_once(std::string conversation, CommandAtOnce command);
  const Conversation* find(std::string_view conversation) const;  // readable conversations only; valid until the next await
  // not_found or denied also after the hub has loaded the conversation, if the caller cannot read it.
  Task<Result<void>> look_for(std::string conversation);
  // Needs Permission::read, and finds conversations of other hubs like `look_for`.
  template <class Item = Event>
  Task<Result<PageOf<Item>>> events(std::string conversation, std::uint64_t after, std::uint64_t before, std::size_t limit) {
    if (!whole_) PARLANCE_CO_TRY_DO(co_await look_for(conversation));
    co_return co_await hub_->events<Item>(std::move(conversation), after, before, limit);
  }
  // Needs Permission::read.
  Task<Result<std::vector<ChatMessage>>> history(std::string conversation);
  // Searches readable conversations only.
  Task<Result<std::vector<SearchHit>>> search(std::string words);
  // not_found without Permission::read for the attachment's conversation.
  Task<Result<Attachment>> attachment(std::string id);

  // Permission::list is enough, so that the refusal of an answer can name the owner.
  Task<Result<std::string>> conversation_of_ask(std::string ask);
  // Both return null for requests of unreadable conversations.
  const Ask* find_ask(std::string_view ask) const;
  const ToolIntent* intent_of(std::string_view ask) const { return find_ask(ask) == nullptr ? nullptr : hub_->intent_of(ask); }
  // Only the caller's own rules; not_found for rules of others.
  Task<Result<void>> revoke(std::string rule);

  // The rows of readable conversations; admins receive all rows, also of removed conversations.
  Task<Result<SpendingReport>> spent(std::string since) const;
  // Needs Permission::administer, since the limits apply to all users.
  Task<Result<void>> set_spending_limits(SpendingLimits limits);

  Snapshot snapshot(std::size_t most = SIZE_MAX) const;               // `most`: Listing::most
  ConversationList list(std::string before, std::size_t most) const;  // a page of Hub::list
  // Delivers the visible part of each change, and a Resync after a change of access of another user's conversation. The watcher
  // copies this value, and may outlive this value and the hub.
  std::unique_ptr<Watcher> watch(Signal* wake = nullptr) const;
  // Null also without Permission::read. A Follower checks the permission again before each read.
  std::shared_ptr<ReplicatedLog> followed(std::string_view conversation) const;
  // The hub's loop, for tasks and timers of frontends.
  Loop& loop() const { return hub_->loop(); }

 private:
  friend std::vector<Ask> open_asks(const UserHub& hub);
  std::optional<TeamRole> role() const;  // the current role; no value: access revoked
  // Agents of a runner act with the rights of an account on that machine, so only the runner's user may use them.
  bool may_use(const AgentInfo& agent) const;
  // For a new conversation: Permission::create, and not_found for another user's agent. An unknown agent passes: the hub reports
  // it.
  Result<void> check_begin(std::string_view agent_id) const;
  // Like `check_begin`. Further error: unknown_method, for users of a team and an agent on the gateway's machine. The sessions
  // there belong to the person of the machine.
  Result<void> check_sessions(std::string_view agent_id) const;
  // Without Permission::list the conversation counts as unknown (not_found). Otherwise `denied`, with the owner's name.
  Result<void> check(std::string_view conversation, Permission permission) const;
  // The filter of `watch` returns the change, a shortened copy (`listed_only`), a Resync, or null for a hidden change.
  ChangePtr visible(const ChangePtr& change) const;
  // Whether a rule of this user (Rule::user) belongs to the caller; false after the loss of the role.
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

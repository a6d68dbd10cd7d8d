// SPDX-License-Identifier: Apache-2.0
// The hub as one caller may use it: what every face has in its hand, a value for each connection. It shows of the hub what the caller may
// read, does what the caller may do, and says in the caller's name that it was they. What somebody may not even know of is not there for
// them: not_found, as with an id that never was. What they know of and may not do is `denied`, with what helps. The table is team/rights.h.
// Loop thread only; the hub outlives it, but for what says otherwise.
//
// Each check asks the team as it is now: a handle whose token was revoked, or whose user was disabled or has another role, permits nothing
// more, however long a connection or task keeps it.
//
// On a machine alone the caller is its person, all is theirs, and nothing is looked up or copied.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/hub.h"
#include "parlance/hub/team/rights.h"

namespace parlance::hub {

class UserHub {
 public:
  // Of a hub without a caller it is the person of this machine who uses it, as programs of a terminal do.
  UserHub(Hub& hub, CallerPtr caller = person_of_this_machine());

  const CallerPtr& caller() const { return caller_; }
  bool may(const Conversation& conversation, Permission permission) const;
  bool may_read(std::string_view conversation) const;
  // For dispatchers, before a message reaches its handler: whether the caller has the permission at all. Which conversation is meant the
  // methods below check. Errors: denied, with the person who can help.
  Result<void> check(Permission permission) const;
  // What the caller is to this conversation beside the table: it is theirs.
  bool is_own(const Conversation& conversation) const { return conversation.is_of(caller_->user); }
  const TeamPtr& team() const { return hub_->team(); }

  // The methods of the hub; there is told what they do. They fail as well with denied and not_found, as above.
  std::vector<AgentInfo> agents() const;  // that may be used: of runners the caller's own
  Task<Result<void>> look_for_agents();
  Result<void> let_go(std::string_view agent);

  Task<Result<Conversation>> create(NewConversation request);
  Task<Result<std::vector<KeptSession>>> kept_sessions(std::string agent, std::string folder);
  Task<Result<FilesFound>> find_files(std::string agent, FilesWanted wanted);
  // … of a conversation that the caller may prompt: in its folders, whatever `wanted` names.
  Task<Result<FilesFound>> find_files_of(std::string conversation, FilesWanted wanted);
  Task<Result<Conversation>> adopt(NewConversation request, std::string native_session);
  Task<Result<Prompted>> prompt(std::string conversation, std::string text, PromptOptions options = {},
                                std::vector<Attachment> attachments = {}, std::vector<PromptContext> context = {});
  Task<Result<Prompted>> carry_on(std::string conversation, PromptOptions options = {});
  Task<Result<void>> prepare(std::string conversation, PromptOptions options);
  Task<Result<void>> restart(std::string conversation);
  Task<Result<void>> withdraw(std::string conversation, std::string queued);
  Result<void> stop(std::string_view conversation);
  Result<void> stop_own(std::string_view conversation);  // Hub::stop_own
  Result<void> go_on(std::string_view conversation);
  Task<Result<Conversation>> set(std::string conversation, ConversationChanges changes);
  Task<Result<Conversation>> set_option(std::string conversation, std::string option, std::string value);
  Task<Result<void>> clear(std::string conversation);
  Task<Result<void>> remove(std::string conversation);
  const Conversation* find(std::string_view conversation) const;  // that may be read; good until the next await
  Task<Result<void>> look_for(std::string conversation);
  Task<Result<EventPage>> events(std::string conversation, std::uint64_t after, std::uint64_t before, std::size_t limit);
  Task<Result<std::vector<ChatMessage>>> history(std::string conversation);
  Task<Result<std::vector<SearchHit>>> search(std::string words);
  Task<Result<Attachment>> attachment(std::string id);

  Task<Result<Ask>> answer(std::string ask, GivenAnswer given);
  Task<Result<Prompted>> reask(std::string ask);
  const Ask* find_ask(std::string_view ask) const;
  const ToolIntent* intent_of(std::string_view ask) const { return find_ask(ask) == nullptr ? nullptr : hub_->intent_of(ask); }
  Task<Result<void>> revoke(std::string rule);

  Task<Result<std::vector<SpentOn>>> spent(std::string since) const;
  std::string today() const { return hub_->today(); }
  const SpendingLimits& spending_limits() const { return hub_->spending_limits(); }
  Task<Result<void>> set_spending_limits(SpendingLimits limits);

  Snapshot snapshot() const;
  std::unique_ptr<Watcher> watch(Signal* wake = nullptr) const;
  std::shared_ptr<Followed> followed(std::string_view conversation) const;
  Loop& loop() const { return hub_->loop(); }

 private:
  std::optional<TeamRole> role() const;  // as of now; nothing: the caller may no longer come in
  bool may_use(const AgentInfo& agent) const;
  std::optional<AgentInfo> agent(std::string_view id) const;
  Result<void> check_begin(std::string_view agent_id) const;
  Result<void> check_sessions(std::string_view agent_id) const;
  Result<void> check(std::string_view conversation, Permission permission) const;
  Task<Result<void>> check_ask(std::string ask, Permission permission) const;
  Error refusal(const Conversation& conversation) const;
  ChangePtr heard(const ChangePtr& change) const;
  bool has_rule(const std::optional<std::string>& user) const { return role() && user.value_or("") == caller_->user; }

  Hub* hub_;
  CallerPtr caller_;
  bool whole_;                 // there is nobody else
  mutable TeamPtr looked_in_;  // the team of the last look, so that each team is searched once
  mutable bool is_in_ = true;  // … and what it said
};

// What of a conversation is shown to whoever may know that it is there, and no more.
Conversation listed_only(const Conversation& conversation);

}  // namespace parlance::hub

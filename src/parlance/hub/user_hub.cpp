// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/user_hub.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/hub/runtime/snapshot.h"

namespace parlance::hub {

UserHub::UserHub(Hub& hub, CallerPtr caller) : hub_(&hub), caller_(std::move(caller)), whole_(!hub.is_shared()) {}

// ---- permissions -----------------------------------------------------------------------------------------------------------

// Push notifications and tests create callers without a token, and renew them with the team. The gateway checks the expiry of
// tokens.
std::optional<TeamRole> UserHub::role() const {
  if (caller_->token.empty()) return caller_->role;
  if (const TeamPtr& team = hub_->team(); team != looked_in_ || team == nullptr) {
    looked_in_ = team;
    is_in_ = team != nullptr && team->is_current(*caller_, "");
  }
  return is_in_ ? std::optional(caller_->role) : std::nullopt;
}

// A conversation for a single program request (SessionSetup::via) ends with the request, even after its user was removed.
bool UserHub::is_own(const Conversation& conversation) const { return conversation.is_of(caller_->user); }

bool UserHub::may(const Conversation& conversation, Permission permission) const {
  if (whole_) return true;
  if (const auto now = role())
    return hub::may(*now, is_own(conversation), conversation.access.value_or(Access::private_), permission);
  return conversation.via && is_own(conversation) && (permission == Permission::list || permission == Permission::remove);
}

bool UserHub::may_read(std::string_view conversation) const {
  if (whole_) return true;
  const Conversation* const found = hub_->find(conversation);
  return found != nullptr && may(*found, Permission::read);
}

Result<void> UserHub::check(Permission permission) const {
  if (whole_) return {};
  const auto now = role();
  if (!now) return fail(Errc::denied, "your token is no longer valid: connect again, or ask an admin for a new token");
  if (may_anywhere(*now, permission)) return {};
  return fail(Errc::denied, std::string(refusal_for(*now, permission)));
}

static Error refusal_for(const Conversation& conversation, const Caller& caller, const Team* team) {
  const User* const owner = team == nullptr ? nullptr : team->user(conversation.user.value_or(""));
  const std::string owner_name = owner == nullptr ? "somebody else" : owner->name;
  const auto denied = [](std::string why) { return Error{.code = Errc::denied, .message = std::move(why)}; };
  if (caller.role == TeamRole::viewer) return denied(std::string(refusal_for(caller.role, Permission::prompt)));
  switch (conversation.access.value_or(Access::private_)) {
    case Access::private_:
      return denied("this conversation of " + owner_name +
                    " is private: an admin can only stop or delete a private conversation");
    case Access::view:
      return denied(owner_name + " lets others only read this conversation: " + owner_name +
                    " can open the conversation for the team");
    case Access::team: break;
  }
  return denied("only " + owner_name + " can change this conversation");
}

Result<void> UserHub::check(std::string_view conversation, Permission permission) const {
  if (whole_) return {};
  const Conversation* const found = hub_->find(conversation);
  if (found == nullptr || !may(*found, Permission::list))
    return fail(Errc::not_found, "no such conversation: " + std::string(conversation));
  if (may(*found, permission)) return {};
  return std::unexpected(refusal_for(*found, *caller_, team().get()));
}

// ---- agents, and new conversations -------------------------------------------------------------------------------------------

// A conversation with a runner's agent acts with the rights of the account on that machine.
bool UserHub::may_use(const AgentInfo& agent) const {
  return whole_ || (role() && (!agent.user || *agent.user == caller_->user));
}

std::vector<AgentInfo> UserHub::agents() const {
  std::vector<AgentInfo> all = hub_->agents();
  if (!whole_) std::erase_if(all, [&](const AgentInfo& agent) { return !may_use(agent); });
  return all;
}

static std::optional<AgentInfo> agent_of(const Hub& hub, std::string_view id) {
  for (AgentInfo& agent : hub.agents())
    if (agent.id == id) return std::move(agent);
  return std::nullopt;
}

Result<void> UserHub::check_begin(std::string_view agent_id) const {
  if (whole_) return {};
  PARLANCE_TRY_DO(check(Permission::create));
  const auto found = agent_of(*hub_, agent_id);
  if (!found || may_use(*found)) return {};  // for an unknown agent the hub reports the error
  return fail(Errc::not_found, "no such agent: " + std::string(agent_id));
}

// An agent's own sessions belong to its account: on a gateway to the person of the machine, on a runner to its user.
Result<void> UserHub::check_sessions(std::string_view agent_id) const {
  PARLANCE_TRY_DO(check_begin(agent_id));
  if (whole_ || caller_->user.empty()) return {};
  const auto found = agent_of(*hub_, agent_id);
  if (!found || found->user) return {};
  return fail(Errc::unknown_method, "an agent's sessions on the gateway's machine are not available to a team");
}

Task<Result<void>> UserHub::look_for_agents() {
  PARLANCE_CO_TRY_DO(check(Permission::create));
  co_await hub_->look_for_agents();
  co_return Result<void>{};
}

Result<void> UserHub::close_agents(std::string_view agent) {
  PARLANCE_TRY_DO(check(Permission::administer));
  hub_->close_agents(agent);
  return {};
}

static NewConversation in_name_of(const Caller& caller, NewConversation request) {
  if (!caller.user.empty()) request.user = caller.user;
  return request;
}

Task<Result<Conversation>> UserHub::create(NewConversation request) {
  PARLANCE_CO_TRY_DO(check_begin(request.agent));
  co_return co_await hub_->create(in_name_of(*caller_, std::move(request)));
}

Task<Result<std::vector<KeptSession>>> UserHub::kept_sessions(std::string agent, std::string folder) {
  PARLANCE_CO_TRY_DO(check_sessions(agent));
  co_return co_await hub_->kept_sessions(std::move(agent), std::move(folder));
}

Task<Result<FilesFound>> UserHub::find_files(std::string agent, FilesWanted wanted) {
  PARLANCE_CO_TRY_DO(check_begin(agent));
  co_return co_await hub_->find_files(std::move(agent), std::move(wanted));
}

Task<Result<FilesFound>> UserHub::find_files_of(std::string conversation, FilesWanted wanted) {
  PARLANCE_CO_TRY_DO(check(conversation, Permission::prompt));
  const Conversation* const of = hub_->find(conversation);
  if (of == nullptr) co_return fail(Errc::not_found, "no such conversation: " + conversation);
  wanted.folders = of->folders;
  wanted.folders.insert(wanted.folders.begin(), of->folder);
  co_return co_await hub_->find_files(of->agent, std::move(wanted));
}

Task<Result<Conversation>> UserHub::adopt(NewConversation request, std::string agent_session) {
  PARLANCE_CO_TRY_DO(check_sessions(request.agent));
  PARLANCE_CO_TRY(adopted, co_await hub_->adopt(in_name_of(*caller_, std::move(request)), agent_session));
  // Another user's conversation continues the session already.
  if (!may(adopted, Permission::read)) co_return fail(Errc::not_found, "no such session: " + agent_session);
  co_return adopted;
}

// ---- commands ----------------------------------------------------------------------------------------------------------------

Result<void> UserHub::submit_at_once(std::string conversation, CommandAtOnce command) {
  const auto permission = std::visit([]<class C>(const C&) { return rules_of<C>.permission; }, command);
  PARLANCE_TRY_DO(check(conversation, permission));
  return hub_->submit_at_once(std::move(conversation), command, caller_);
}

// ---- reading -----------------------------------------------------------------------------------------------------------------

const Conversation* UserHub::find(std::string_view conversation) const {
  const Conversation* const found = hub_->find(conversation);
  return found != nullptr && may(*found, Permission::read) ? found : nullptr;
}

Task<Result<void>> UserHub::look_for(std::string conversation) {
  PARLANCE_CO_TRY_DO(co_await hub_->look_for(conversation));
  co_return check(conversation, Permission::read);
}

Task<Result<std::vector<ChatMessage>>> UserHub::history(std::string conversation) {
  PARLANCE_CO_TRY_DO(check(conversation, Permission::read));
  co_return co_await hub_->history(std::move(conversation));
}

Task<Result<std::vector<SearchHit>>> UserHub::search(std::string words) {
  if (whole_) return hub_->search(std::move(words));
  return hub_->search(std::move(words),
                      [me = *this](const Conversation& conversation) { return me.may(conversation, Permission::read); });
}

Task<Result<Attachment>> UserHub::attachment(std::string id) {
  PARLANCE_CO_TRY(found, co_await hub_->attachment(id));
  if (!may_read(found.conversation)) co_return fail(Errc::not_found, "no attachment " + id);
  co_return found;
}

// ---- asks and rules ------------------------------------------------------------------------------------------------------------

Task<Result<std::string>> UserHub::conversation_of_ask(std::string ask) {
  PARLANCE_CO_TRY(conversation, co_await hub_->conversation_of_ask(ask));
  if (const auto listed = check(conversation, Permission::list); !listed && listed.error().code == Errc::not_found)
    co_return fail(Errc::not_found, "no such ask: " + ask);
  co_return conversation;
}

const Ask* UserHub::find_ask(std::string_view ask) const {
  const Ask* const found = hub_->find_ask(ask);
  return found != nullptr && may_read(found->conversation) ? found : nullptr;
}

Task<Result<void>> UserHub::revoke(std::string rule) {
  const std::vector<Rule> all = whole_ ? std::vector<Rule>{} : hub_->rules();
  PARLANCE_CO_TRY_DO(check(Permission::enter));
  const auto found = std::ranges::find(all, rule, &Rule::id);
  if (found != all.end() && !has_rule(found->user)) co_return fail(Errc::not_found, "no such rule: " + rule);
  co_return co_await hub_->revoke(std::move(rule), caller_);
}

// ---- spending --------------------------------------------------------------------------------------------------------------------

// The owner of a deleted conversation is unknown: only admins see those sums.
Task<Result<SpendingReport>> UserHub::spent(std::string since) const {
  PARLANCE_CO_TRY(report, co_await hub_->spent(std::move(since)));
  if (!check(Permission::administer)) std::erase_if(report.rows, [&](const SpentOn& row) { return !may_read(row.conversation); });
  co_return report;
}

Task<Result<void>> UserHub::set_spending_limits(SpendingLimits limits) {
  PARLANCE_CO_TRY_DO(check(Permission::administer));
  co_return co_await hub_->set_spending_limits(std::move(limits), caller_);
}

// ---- following -------------------------------------------------------------------------------------------------------------------

Conversation listed_only(const Conversation& conversation) {
  return {{.id = conversation.id, .agent = conversation.agent, .user = conversation.user},
          {.state = conversation.state,
           .created_at = conversation.created_at,
           .updated_at = conversation.updated_at,
           .access = conversation.access}};
}

Snapshot UserHub::snapshot(std::size_t most) const {
  Listing listing{.most = most};
  if (whole_) return hub_->snapshot(listing);
  listing.among = [&](const Conversation& conversation) { return may(conversation, Permission::list); };
  Snapshot all = hub_->snapshot(listing);
  std::erase_if(all.agents, [&](const AgentInfo& agent) { return !may_use(agent); });
  for (Conversation& conversation : all.conversations)
    if (!may(conversation, Permission::read)) conversation = listed_only(conversation);
  std::erase_if(all.asks, [&](const Ask& ask) { return !may_read(ask.conversation); });
  std::erase_if(all.rules, [&](const Rule& rule) { return !has_rule(rule.user); });
  return all;
}

std::vector<Ask> open_asks(const UserHub& hub) {
  std::vector<Ask> all = open_asks(*hub.hub_);
  if (!hub.whole_) std::erase_if(all, [&](const Ask& ask) { return !hub.may_read(ask.conversation); });
  return all;
}

ConversationList UserHub::list(std::string before, std::size_t most) const {
  Listing listing{.before = std::move(before), .most = most};
  if (whole_) return hub_->list(listing);
  listing.among = [&](const Conversation& conversation) { return may(conversation, Permission::list); };
  ConversationList found = hub_->list(listing);
  for (Conversation& conversation : found.conversations)
    if (!may(conversation, Permission::read)) conversation = listed_only(conversation);
  return found;
}

std::unique_ptr<Watcher> UserHub::watch(Signal* wake) const {
  if (whole_) return hub_->watch(wake);
  return hub_->watch(wake, [me = *this](const ChangePtr& change) { return me.visible(change); });
}

ChangePtr UserHub::visible(const ChangePtr& change) const {
  struct Visible {
    const UserHub& me;
    const ChangePtr& change;

    ChangePtr operator()(const change::ConversationChanged& conversation_changed) const {
      const Conversation& now = *conversation_changed.conversation;
      if (conversation_changed.access_before && !me.is_own(now)) {  // the change hides the conversation or makes it visible
        static const ChangePtr resync = std::make_shared<const Change>(change::Resync{});
        return resync;
      }
      if (me.may(now, Permission::read)) return change;
      if (!me.may(now, Permission::list)) return nullptr;
      return std::make_shared<const Change>(
          change::ConversationChanged{.conversation = std::make_shared<const Conversation>(listed_only(now))});
    }
    ChangePtr operator()(const change::ConversationRemoved& conversation_removed) const {
      return only(me.may(*conversation_removed.last, Permission::list));
    }
    ChangePtr operator()(const change::AskChanged& ask_changed) const { return only(me.may_read(ask_changed.ask.conversation)); }
    ChangePtr operator()(const change::RuleAdded& rule_added) const { return only(me.has_rule(rule_added.rule.user)); }
    ChangePtr operator()(const change::RuleRemoved& rule_removed) const { return only(me.has_rule(rule_removed.user)); }
    ChangePtr operator()(const change::AgentChanged& agent_changed) const { return only(me.may_use(agent_changed.agent)); }
    ChangePtr operator()(const change::ServiceChanged&) const { return change; }
    ChangePtr operator()(const change::Resync&) const { return change; }
    ChangePtr only(bool seen) const { return seen ? change : nullptr; }
  };
  return std::visit(Visible{.me = *this, .change = change}, *change);
}

std::shared_ptr<ReplicatedLog> UserHub::followed(std::string_view conversation) const {
  return may_read(conversation) ? hub_->followed(conversation) : nullptr;
}

}  // namespace parlance::hub

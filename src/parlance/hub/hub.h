// SPDX-License-Identifier: Apache-2.0
// The hub: conversations, their events and asks, and the agents of the conversations. Every frontend (page, terminal, protocol
// server) calls the hub, and follows it with a Watcher and its conversations with Followers. Agents report to the hub through
// Turn. Loop thread only.
//
// The hub owns the agents' providers and the running turns, and refers to the store. Destroy the hub before the store and the
// loop. Every published event is in the store already.
//
// parts.h lists the parts of the implementation.
//
// The hub does not check callers: `by` is the author in the log. Frontends use a UserHub (user_hub.h), which checks the caller's
// permissions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/async/task.h"
#include "parlance/base/clock.h"
#include "parlance/base/result.h"
#include "parlance/base/secret.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/command.h"
#include "parlance/hub/conversation/new_conversation.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/log/log_reader.h"
#include "parlance/hub/log/runner_connection.h"
#include "parlance/hub/log/store.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/hub/policy/spending.h"
#include "parlance/hub/runtime/conversation_list.h"
#include "parlance/hub/runtime/hub_settings.h"
#include "parlance/hub/runtime/watcher.h"
#include "parlance/hub/team/team.h"

namespace parlance::hub {

struct ConversationList;  // runtime/snapshot.h
class ReplicatedLog;      // log/replicated_log.h
struct HubParts;          // parts.h
struct ServiceInfo;       // conversation/conversation.h
struct Snapshot;          // runtime/snapshot.h

// A page of a conversation's log, ascending.
template <class Item>
struct PageOf {
  std::vector<Item> events{};
  std::uint64_t first_seq = 0;  // of `events`; 0 when empty
  std::uint64_t last_seq = 0;   // of the conversation
};
using EventPage = PageOf<Event>;
using EventTextPage = PageOf<EventText>;

// Use of models and its limits at one moment, for a display.
struct SpendingReport {
  std::string today{};  // in the format of SpentOn::day
  SpendingLimits limits{};
  std::vector<SpentOn> rows{};  // sums by day and conversation
};

class Hub {
 public:
  Hub(Loop& loop, Store& store, HubSettings settings = {});
  ~Hub();  // Does not end turns in order (see `stop_all`): the next start recovers running turns.
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  // Before `start`, or later for a new provider.
  void add_agent(std::unique_ptr<AgentProvider> provider);
  // The agent cannot be opened again; frontends see the removal in their next snapshot. Opened agents continue.
  void remove_agent(std::string_view agent);
  // Publishes new information about a provider to all watchers, without a lookup of the provider. Call on the loop thread, after
  // `AgentProvider::info` returns the new values.
  void agent_changed(const AgentInfo& info);
  // The present state of each provider; empty before the first `add_agent`.
  std::vector<AgentInfo> agents() const;  // in the order of `add_agent`
  // Searches new agents (HubSettings::find_agents), and moved or removed programs of known agents (AgentProvider::recheck).
  Task<void> look_for_agents();
  // Call after the agent's program was installed or changed. Closes its opened agents, after the end of running turns. The next prompt
  // opens the agent again, after the end of the old agent, and resumes its session.
  void close_agents(std::string_view agent);
  // Stores the state of a service by its name, for snapshots, and publishes the difference. Does nothing if the state is equal.
  void service_changed(ServiceInfo info);

  // Loads all state. A turn of the previous process continues with its open asks, if its agent supports this
  // (AgentProvider::resumes_turns). The hub ends all other turns (error + turn_end) and orphans their asks. In a shared store
  // (SharedStore) this happens when the hub takes a conversation over. The hub follows conversations of other hubs and sends
  // their commands to the owner. Call once, before all methods below.
  Task<Result<void>> start();
  // Waits for turns that an end now would cut off. Does not wait for turns with an open request, or turns that the next start can
  // continue.
  Task<void> drain_turns(TimePoint until);
  // For a graceful end: ends all turns like StopTurn, keeps their open requests for RepeatRequest, and waits for the writes.
  // Turns that the next start can continue stay unchanged. Queued prompts stay in the queue.
  Task<void> stop_all();

  // ---- conversations
  // Completes after the commit of the conversation and its imported history; the agent opens with the first prompt. Errors:
  // not_found (no such agent), invalid_params (the folders), the store's.
  Task<Result<Conversation>> create(NewConversation request);
  // The agent's own sessions of a folder, without sessions of conversations. Errors: not_found (no such agent), those of the
  // agent (unknown_method: not supported).
  Task<Result<std::vector<KeptSession>>> kept_sessions(std::string agent, std::string folder);
  // Searches on the machine of a remote agent. Errors: not_found (no such agent), those of AgentProvider::find_files.
  Task<Result<FilesFound>> find_files(std::string agent, FilesWanted wanted);
  // A conversation that continues an agent's own session. The agent reports the session's messages, and the log gets them as
  // turns. Until then the conversation is hidden and prompts wait. Returns the existing conversation if the same user has adopted
  // the session before. Errors: those of `create` and of the agent (not_found: no such session, or a conversation of another user
  // continues it; unknown_method: not supported), overloaded (another hub adopts the session now). After an error, or a death of
  // this process meanwhile, the conversation does not exist.
  Task<Result<Conversation>> adopt(NewConversation request, std::string agent_session);
  // Executes a command of command.h here, or sends the command to the owner of the conversation. The caller's permission is not
  // checked. Errors: not_found, deadline_exceeded (the owner, another hub, does not respond), those of the command.
  template <class C>
  Task<Result<typename C::Result>> submit(std::string conversation, C command, CallerPtr by = person_of_this_machine());
  // Takes effect before the return if this hub owns the conversation. Otherwise the owner executes the command later, without a
  // result. Error: not_found.
  Result<void> submit_at_once(std::string conversation, CommandAtOnce command, CallerPtr by = person_of_this_machine());
  const Conversation* find(std::string_view conversation) const;  // valid until the next await
  // Loads a conversation that another hub created a moment ago, for clients with an early notification. not_found: no such
  // conversation.
  Task<Result<void>> look_for(std::string conversation);
  // The newest events with after < seq < before (0: no bound), at most `limit` (0: limits::page_events). Item: Event, or EventText
  // for callers that forward stored text.
  template <class Item = Event>
  Task<Result<PageOf<Item>>> events(std::string conversation, std::uint64_t after, std::uint64_t before, std::size_t limit);
  // All committed messages since the last Cleared event, as an agent would receive them without a size limit. Reads the whole
  // log. Errors: not_found, the store's.
  Task<Result<std::vector<ChatMessage>>> history(std::string conversation);
  // Searches words in all conversations accepted by `among`: the newest match of each, newest conversation first. Returns the
  // limits::searched_conversations newest matches at most. The store's index selects the parts to read. Errors: invalid_params (no
  // words), the store's.
  using Among = std::function<bool(const Conversation& conversation)>;
  Task<Result<std::vector<SearchHit>>> search(std::string words, Among among = {});
  Task<Result<Attachment>> attachment(std::string id);  // not_found: unknown, or removed with its conversation

  // ---- asks and rules
  const Ask* find_ask(std::string_view ask) const;                 // open or orphaned
  Task<Result<std::string>> conversation_of_ask(std::string ask);  // in any state; not_found
  const ToolIntent* intent_of(std::string_view ask) const;         // of an open ask; null: without a call, or unknown
  // Removes a stored rule, and completes after the commit. Open requests stay open. Errors: not_found (unknown, or a rule of the
  // configuration), the store's.
  Task<Result<void>> revoke(std::string rule, CallerPtr by = person_of_this_machine());
  std::vector<Rule> rules() const;  // in the order of evaluation

  // ---- use of models, and its limits
  // `since`: the first day of the rows, in the format of SpentOn::day; "": all days.
  Task<Result<SpendingReport>> spent(std::string since) const;
  // Takes effect at once: held turns below the new limits continue. Errors: invalid_params, the store's.
  Task<Result<void>> set_spending_limits(SpendingLimits limits, CallerPtr by = person_of_this_machine());

  // ---- runners (AgentInfo::runner; runtime/runner_connections.h)
  // A value that refers to the hub.
  class Runners {
   public:
    explicit Runners(HubParts& hub) : hub_(&hub) {}
    // The runner is connected to this process now: this hub runs the commands of its conversations. `body`: for
    // HubSettings::runners_changed. Errors: the store's.
    Task<Result<RunnerConnection>> connected(std::string runner, std::string body, std::string user = {});
    void disconnected(const std::string& runner);  // the runner has disconnected from this process
    void forget(const std::string& runner);        // frees the memory of a removed runner
    // The agent sessions on the runner that conversations use.
    std::vector<std::string> sessions(std::string_view runner) const;
    // The sessions of removed conversations until the runner has deleted them.
    Task<Result<std::vector<std::string>>> unused_sessions(std::string runner);
    // The runner has deleted the session: `unused_sessions` omits it. Succeeds for an unknown session. Errors: the store's.
    Task<Result<void>> forget_unused_session(std::string runner, std::string session);

   private:
    HubParts* hub_;
  };
  // For the server of runners; the value must not outlive the hub.
  Runners runners() const { return Runners(*parts_); }
  // Turn::is_of_guest of the running turn. Without a turn: whether guests can write in the conversation.
  bool may_be_of_guest(std::string_view conversation) const;

  // ---- following
  // With a limit: the newest conversations, and those with open requests, a turn or a queue.
  Snapshot snapshot(const Listing& listing = {}) const;
  // The conversations of a snapshot alone, one page of them. Conversations of single program requests (SessionSetup::via) are
  // absent unless they have had a request.
  ConversationList list(const Listing& listing) const;
  // The services of the snapshot, without a copy of all conversations; valid until the next await.
  const std::vector<ServiceInfo>& services() const;
  // Reports changes from now on; may outlive the hub. `wake` is set on changes, and must outlive the watcher.
  std::unique_ptr<Watcher> watch(Signal* wake = nullptr, ChangeFilter filter = {});

  struct Statistics {
    std::size_t conversations = 0;  // known to this hub
    std::size_t owned = 0;          // owned by this hub; all of them in an unshared store
    std::size_t running_turns = 0;  // in this hub, also while a person is asked
    std::size_t open_asks = 0;      // open and orphaned
    std::size_t watchers = 0;       // frontends that follow the hub now
    std::uint64_t events = 0;       // written by this hub since its construction
    std::uint64_t commits = 0;      // of conversations of this hub
    std::uint64_t resyncs = 0;      // Resync changes so far, sent to slow frontends or after a change of access
    Spent spent_today{};            // of all conversations
  };
  // For metrics and tests: the counters since the construction of this hub, and the present numbers.
  Statistics statistics() const;

  // Other hubs and users of a team share the store, and this hub checks the permissions of its callers.
  bool is_shared() const;
  // The users of the shared store at the last read. Null before `start`, and without a shared store; the reference is valid
  // until the next await.
  const TeamPtr& team() const;

  // The loop of the constructor: all calls and all callbacks of the hub run there.
  Loop& loop() const;
  std::shared_ptr<ReplicatedLog> followed(std::string_view conversation) const;  // for Follower; null: no such conversation

 private:
  friend std::vector<Ask> open_asks(const Hub& hub);
  std::unique_ptr<HubParts> parts_;
};

// Open and orphaned requests of all conversations, oldest first. Costs nothing per idle conversation, unlike a snapshot.
std::vector<Ask> open_asks(const Hub& hub);

// For Hub::submit: one function for each type of result.
template <class R>
Task<Result<R>> submit_any(HubParts& hub, std::string conversation, Command command, CallerPtr by);
template <>
Task<Result<Ask>> submit_any(HubParts& hub, std::string conversation, Command command, CallerPtr by);

template <class C>
Task<Result<typename C::Result>> Hub::submit(std::string conversation, C command, CallerPtr by) {
  return submit_any<typename C::Result>(*parts_, std::move(conversation), std::move(command), std::move(by));
}

}  // namespace parlance::hub

// SPDX-License-Identifier: Apache-2.0
// The hub: conversations, their events and asks, and the agents that answer them. Every face (page, terminal, protocol server)
// calls it, follows it through a Watcher and its conversations through Followers; every agent reports to it through Turn. Loop thread only.
//
// It owns the agents' providers and the running turns, refers to the store, and must be destroyed before the store and the loop.
// Whatever it tells anybody is in the store already.
//
// What it does stands by its nouns: conversations.cpp, prompts.cpp, running_turn.cpp, asks.cpp, settings.cpp, agent_port.cpp, telling.cpp,
// start_and_end.cpp, taken_up.cpp, spending.cpp; in a store that several hubs share, elsewhere.cpp and following.cpp.
//
// Here nobody is asked who they are: `by` is for the log. Faces have a UserHub (user_hub.h), which knows what its caller may.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/async/task.h"
#include "parlance/base/clock.h"
#include "parlance/base/result.h"
#include "parlance/base/secret.h"
#include "parlance/hub/agent.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/command.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/limits.h"
#include "parlance/hub/log/place.h"
#include "parlance/hub/log/store.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/hub/policy/spending.h"
#include "parlance/hub/team/team.h"
#include "parlance/hub/watcher.h"

namespace parlance::hub {

class Followed;  // followed.h

struct HubSettings {
  std::vector<Rule> rules{};                          // from the configuration: tried before those of the store, not revocable
  std::size_t history_bytes = default_history_bytes;  // Turn::history: what an agent is given of a long conversation
  std::function<WallTime()> wall_clock = wall_now;
  // What an agent that is opened can reach (toolbox/agent_workspace.h); empty: nothing, and the agent is told so.
  std::function<std::unique_ptr<Workspace>(WorkspaceHost& host)> workspace{};
  // The editor beside a conversation, or null; it outlives the hub. Asked when its agent is opened.
  std::function<Editor*(const Conversation& conversation)> editor{};
  // Adds agents whose programs were installed meanwhile (Hub::add_agent), when somebody has asked for that.
  std::function<Task<void>()> find_agents{};
  std::function<std::string(std::string_view prefix)> new_id = make_id;
  // It decides nothing: no rule and no mode allows anything, all is asked of who is asked here, once each time. For runners, whose gateway
  // decides.
  bool asks_everything = false;
  // In a store that is shared: where the machines of runners are connected has changed (Hub::place_connected).
  std::function<void(const std::vector<PlaceAt>& places)> places_changed{};
  // A conversation on that machine was removed, and its session there is nobody's any more (Hub::left_sessions).
  std::function<void(const std::string& place)> session_left{};
  // Users and tokens of a store that is shared: at the start, and when they have changed.
  std::function<void(const TeamPtr& team)> team_changed{};
  // Whoever has the log before their eyes is shown every failure of a turn as well: the log warns of none.
  bool failures_are_shown = false;
};

struct Snapshot {
  std::vector<AgentInfo> agents{};
  std::vector<ServiceInfo> services{};
  std::vector<Conversation> conversations{};  // newest change first
  std::vector<Ask> asks{};                    // open and orphaned, oldest first
  std::vector<Rule> rules{};
};

struct EventPage {
  std::vector<Event> events{};
  std::uint64_t first_seq = 0;  // of `events`; 0 when there are none
  std::uint64_t last_seq = 0;   // of the conversation
};

// What was said before the first prompt, elsewhere: it stands in the log as if it had been said here.
struct Past {
  std::vector<EventBody> events{};
  std::vector<Attachment> attachments{};  // that the events name, with their ids
};

struct NewConversation {
  std::string agent{};
  std::string folder{};                // absolute, existing: the caller checks, the hub touches no files
  std::vector<std::string> folders{};  // Conversation::folders: the same holds for them
  Mode mode = Mode::default_;
  std::string model{};
  bool think = false;
  std::string title{};                // empty: from the first message
  std::optional<std::string> via{};   // Conversation::via
  std::optional<std::string> user{};  // Conversation::user
  std::optional<Access> access{};
  Past past{};
};

struct SearchHit {
  std::string conversation{};
  std::uint64_t seq = 0;  // of the event where the text begins
  std::string snippet{};  // one line around the words
};

class Hub {
 public:
  Hub(Loop& loop, Store& store, HubSettings settings = {});
  ~Hub();  // Stops nothing politely (see `stop_all`): running turns are found by the next start.
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  // Before `start`, or later: a provider that appears.
  void add_agent(std::unique_ptr<AgentProvider> provider);
  // It can be opened no more; frontends that show it learn of that with their next snapshot. Its opened agents live on.
  void remove_agent(std::string_view agent);
  void agent_changed(const AgentInfo& info);
  std::vector<AgentInfo> agents() const;  // in the order in which they were added
  // New ones (HubSettings::find_agents), and those that are there anew or no more (AgentProvider::look_again).
  Task<void> look_for_agents();
  // The opened ones of this agent are closed, those of running turns behind these; the next prompt opens it anew, once the old one has ended,
  // and goes on with its session. For when its program was installed or changed meanwhile.
  void let_go(std::string_view agent);
  void service_changed(ServiceInfo info);

  // Loads everything. A turn that ran when the program before died goes on, where its agent can (AgentProvider::takes_up), with its open
  // asks; any other is ended (error + turn_end), its asks orphaned. In a store that other hubs work on too (SharedStore) that happens when
  // a conversation becomes ours; what others have is followed, and what is wanted of it is done by them. Once, before anything below.
  Task<Result<void>> start();
  // Until no turn runs that an end now would cut off. Those that wait for a person, or that the next start takes up, are not waited for.
  Task<void> let_turns_end(TimePoint until);
  // Ends all turns as if stopped, leaves their open asks to be asked again, and waits until all is written; for a graceful end. Turns that
  // the next start can take up are left as they are.
  Task<void> stop_all();

  // ---- conversations
  Task<Result<Conversation>> create(NewConversation request);
  // What an agent keeps by itself of a folder, without what conversations go on with already. Errors: not_found (no such agent), those of
  // the agent (unknown_method: it cannot tell).
  Task<Result<std::vector<KeptSession>>> kept_sessions(std::string agent, std::string folder);
  // On the machine where this agent works, when that is another one. Errors: not_found (no such agent), those of AgentProvider::find_files.
  Task<Result<FilesFound>> find_files(std::string agent, FilesWanted wanted);
  // One that goes on with a session which its agent kept by itself: the agent tells what was said there, and it stands in the log as turns;
  // where one of the same user goes on with it already, that one. Prompts that come meanwhile wait. Errors: those of `create` and of the
  // agent (not_found: no such session, or another user's conversation goes on with it; unknown_method: it cannot tell); then there is no
  // such conversation.
  Task<Result<Conversation>> adopt(NewConversation request, std::string native_session);
  // Words, attachments, or both.
  Task<Result<Prompted>> prompt(std::string conversation, std::string text, PromptOptions options = {},
                                std::vector<Attachment> attachments = {}, std::vector<PromptContext> context = {},
                                CallerPtr by = person_of_this_machine());
  // A turn without a new message: the agent goes on where the log ends. invalid_request: a turn runs.
  Task<Result<Prompted>> carry_on(std::string conversation, PromptOptions options = {}, CallerPtr by = person_of_this_machine());
  // Has its agent do what a prompt with these options would begin with, before there is one. Errors: not_found, those of the agent; a
  // prompt tries again.
  Task<Result<void>> prepare(std::string conversation, PromptOptions options);
  // Of one whose agent died: starts it again, with its session, before there is another prompt, and says so in the log. Errors: not_found,
  // invalid_request (a turn runs), disconnected (what the agent is behind is not there), those of the agent.
  Task<Result<void>> restart(std::string conversation, CallerPtr by = person_of_this_machine());
  // not_found: it is running or gone already.
  Task<Result<void>> withdraw(std::string conversation, std::string queued, CallerPtr by = person_of_this_machine());
  Result<void> stop(std::string_view conversation, CallerPtr by = person_of_this_machine());  // fine when nothing runs
  // Stops the turn only if a prompt of this user began it.
  Result<void> stop_own(std::string_view conversation, CallerPtr by);
  // Begins with what the queue holds back; fine when nothing waits, or a turn runs.
  Result<void> go_on(std::string_view conversation, CallerPtr by = person_of_this_machine());
  Task<Result<Conversation>> set(std::string conversation, ConversationChanges changes, CallerPtr by = person_of_this_machine());
  // One of its agent's options (options_in_force). Errors: not_found, invalid_params (no such option or value), those of the agent.
  Task<Result<Conversation>> set_option(std::string conversation, std::string option, std::string value,
                                        CallerPtr by = person_of_this_machine());
  // Stops it first. Hides all that was said, and its agent begins anew; the rows stay (event::Cleared). `remove` really deletes.
  Task<Result<void>> clear(std::string conversation, CallerPtr by = person_of_this_machine());
  Task<Result<void>> remove(std::string conversation, CallerPtr by = person_of_this_machine());  // stops it first
  const Conversation* find(std::string_view conversation) const;                                 // good until the next await
  // Makes one known that another hub made a moment ago: whoever heard of it there may ask here before we have. not_found: there is none.
  Task<Result<void>> look_for(std::string conversation);
  // At most the newest `limit` (0: limits::page_events) events with after < seq < before (0: all there are).
  Task<Result<EventPage>> events(std::string conversation, std::uint64_t after, std::uint64_t before, std::size_t limit);
  Task<Result<std::vector<ChatMessage>>> history(std::string conversation);
  // Words in what was said, in all conversations that `among` names: the newest place of each, newest conversation first, at most
  // limits::searched_conversations. All logs are read, in parts. Errors: invalid_params (no words), the store's.
  using Among = std::function<bool(const Conversation& conversation)>;
  Task<Result<std::vector<SearchHit>>> search(std::string words, Among among = {});
  Task<Result<Attachment>> attachment(std::string id);  // not_found: never there, or gone with its conversation

  // ---- asks and rules
  // Errors, also of all that is wanted of one conversation: deadline_exceeded (another hub has it, and does nothing); of these:
  // not_found; invalid_params (no such option, incomplete answers); invalid_request (digest of something else);
  // failed (settled already: the message says how and by whom; the first answer counts).
  Task<Result<Ask>> answer(std::string ask, GivenAnswer given, CallerPtr by = person_of_this_machine());
  // Resumes the conversation of an orphaned ask: its call is asked again. The old ask becomes cancelled.
  Task<Result<Prompted>> reask(std::string ask, CallerPtr by = person_of_this_machine());
  const Ask* find_ask(std::string_view ask) const;                 // open or orphaned
  Task<Result<std::string>> conversation_of_ask(std::string ask);  // in any state; not_found
  const ToolIntent* intent_of(std::string_view ask) const;  // of one that is open; null: it is about no call, or nobody knows
  Task<Result<void>> revoke(std::string rule, CallerPtr by = person_of_this_machine());
  std::vector<Rule> rules() const;  // in the order of trying

  // ---- what is used of models, and how much may be
  // The sums of a day and all after it, by day and conversation; "": all.
  Task<Result<std::vector<SpentOn>>> spent(std::string since) const;
  Spent spent_today() const;
  std::string today() const;  // as the sums name it
  const SpendingLimits& spending_limits() const;
  // In force at once: turns that an old limit holds back and this one does not go on. Errors: invalid_params, the store's.
  Task<Result<void>> set_spending_limits(SpendingLimits limits, CallerPtr by = person_of_this_machine());

  // ---- machines elsewhere, where agents work (AgentInfo::place; elsewhere.cpp)
  // It is connected to this program from now on, and what its conversations want of an agent is done here. `body`: for
  // HubSettings::places_changed. Errors: the store's.
  Task<Result<PlaceAt>> place_connected(std::string place, std::string body, std::string user = {});
  void place_gone(const std::string& place);    // … and no more
  void forget_place(const std::string& place);  // of one that is gone: nothing of it is kept in memory
  // The agents' sessions there that conversations go on with, and those whose conversations were removed, until the machine has been told.
  std::vector<std::string> sessions_at(std::string_view place) const;
  // Turn::is_of_guest of the turn that runs here. Without one: whether guests can write in the conversation at all.
  bool may_be_of_guest(std::string_view conversation) const;
  Task<Result<std::vector<std::string>>> left_sessions(std::string place);
  Task<Result<void>> forget_left_session(std::string place, std::string session);

  // ---- following
  Snapshot snapshot() const;
  const std::vector<ServiceInfo>& services()
      const;  // of the snapshot, without copying all conversations; good until the next await
  // Changes after now; may outlive the hub. `wake` is told too when there are some, and outlives the watcher.
  std::unique_ptr<Watcher> watch(Signal* wake = nullptr, Sieve sieve = {});

  struct Statistics {
    std::size_t conversations = 0;
    std::size_t owned = 0;  // of them; in a store that is not shared all are
    std::size_t running_turns = 0;
    std::size_t open_asks = 0;
    std::size_t watchers = 0;
    std::uint64_t events = 0;
    std::uint64_t commits = 0;
    std::uint64_t resyncs = 0;
  };
  Statistics statistics() const;

  // Other hubs, and users of a team, work on its store too.
  bool is_shared() const;
  const TeamPtr& team() const;

  Loop& loop() const;
  std::shared_ptr<Followed> followed(std::string_view conversation) const;  // for Follower; null: no such conversation

  struct Implementation;  // running_turn.h

 private:
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace parlance::hub

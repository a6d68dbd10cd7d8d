// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: the run-time state of a conversation with its requests, and all conversations of the hub. Loop
// thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/loop.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/log/commands_under_way.h"
#include "parlance/hub/log/event_log.h"
#include "parlance/hub/log/ownership.h"
#include "parlance/hub/log/packed.h"
#include "parlance/hub/log/replicated_log.h"
#include "parlance/hub/runtime/core.h"

namespace parlance::hub {

class RequestBook;  // request_book.h
class RunningTurn;  // running_turn.h
struct ConversationRuntime;

// An ask of a running turn. The hub and the waiting coroutine share ownership; the hub's share ends when the ask is settled.
struct PendingAsk final : Timer {
  PendingAsk(Loop& loop, RequestBook& owner, std::weak_ptr<ConversationRuntime> where)
      : book(owner), runtime(std::move(where)), claimed(loop), answer(loop) {}
  void on_timer() override;        // the ask expires
  void claim(AskRequest request);  // the agent repeats the request, so the hub knows the effect of an answer

  RequestBook& book;
  std::weak_ptr<ConversationRuntime> runtime;  // its conversation
  Ask ask;                                     // as stored, or as the next commit stores it
  std::optional<Ask> as_asked;                 // before a person's edit
  std::vector<OfferedRule> rules;              // of its "always" options
  std::optional<ToolIntent> intent;            // absent: no rule and no mode can answer
  TimePoint expires = never;                   // of the timer
  bool settling = false;                       // the first answer is being written to the store
  bool abandoned = false;                      // no caller waits for the answer
  bool unclaimed = false;                      // restored from a previous run; the agent has not repeated the request yet
  Signal claimed;                              // the agent has repeated the request, or the ask is settled
  OneShot<AskAnswer> answer;                   // for the waiting agent
};

// A request about a call from the previous program, with an open card or with an answer.
struct AskedBefore {
  std::string call;                  // ToolCall::id
  std::string digest;                // of the request as first made
  std::shared_ptr<PendingAsk> open;  // null: settled
  std::optional<AskAnswer> settled;  // absent: open
};

// The replacement of an agent.
struct AgentRenewal {
  bool outdated = false;  // the hub closes the agent after the running turn
  bool closing = false;   // no other agent opens before the end of this agent
};

// The queue of prompts, beyond the prompts themselves.
struct QueueFlow {
  std::set<std::string> unwritten;  // prompts that are not in the store yet
  std::set<std::string> ahead;      // prompts sent while the queue was held: they run before the held prompts
  bool resumes = false;             // the queue continues when the first prompt is written
};

// Receives the outcome of each write of a conversation.
class WriteObserver {
 public:
  // After each successful commit, before its operations report success. The commit may contain no events and no row.
  virtual void written(ConversationRuntime& runtime, const CommitPtr& commit) = 0;
  virtual void store_health(ConversationRuntime& runtime, const Error* error) = 0;  // null: the store works again

 protected:
  ~WriteObserver() = default;
};

// A conversation with all its run-time state.
struct ConversationRuntime : std::enable_shared_from_this<ConversationRuntime> {
  ConversationRuntime(Core& core, WriteObserver& observer, Conversation conversation, bool known);
  ~ConversationRuntime();
  ConversationRuntime(const ConversationRuntime&) = delete;
  ConversationRuntime& operator=(const ConversationRuntime&) = delete;

  Conversation current, committed;               // in memory; in the store, as known to the frontends
  bool known;                                    // the store has the conversation
  bool listed;                                   // the hub notifies frontends about the conversation
  Ownership ownership{Ownership::State::local};  // of this hub
  std::optional<Error> refused;                  // why the last takeover failed
  CommandsUnderWay doing;                        // commands of other hubs
  TimePoint last_action{};                       // time of the last action in the conversation by the hub
  TimePoint last_lookup{};                       // time of the last use of the runtime by any caller

  bool is_at_rest() const;                                                // stored, and without work of the hub
  bool has_open_request() const;                                          // a request is open
  void touch();                                                           // writes the row of the conversation to the store
  void note_done(const Submission& from, const Prompted& prompted = {});  // in the operation with the effect of a command

  bool removing = false;         // `remove` runs: the conversation accepts no command and begins no turn
  bool replaying = false;        // the agent replays earlier messages: no turn begins
  std::shared_ptr<Agent> agent;  // null: not opened
  AgentRenewal renewal;
  std::shared_ptr<RunningTurn> turn;  // null: no turn runs
  Signal idle;                        // a turn ended or waits for a person, an agent is closed, or a change of the owner ended
  QueueFlow queue;
  std::map<std::string, Ask, std::less<>> asks;                             // open and orphaned requests, as in the store
  std::map<std::string, std::shared_ptr<PendingAsk>, std::less<>> pending;  // requests with a waiting agent
  std::shared_ptr<ReplicatedLog> followed;                                  // by subscribers
  std::optional<History> history;  // of all written messages; kept from an agent's first request on
  EventLog log;

 private:
  Core& core_;
};

// All conversations. A conversation without run-time state is idle: it has no runtime and is packed. A lookup creates the runtime. The
// runtime ends when nothing has used it for a minute and many runtimes exist.
class ConversationRuntimes final : private TurnEnd {
 public:
  ConversationRuntimes(Core& core, WriteObserver& observer) : core_(core), observer_(observer) {}

  std::shared_ptr<ConversationRuntime> find(std::string_view id);    // null: unknown
  std::optional<Conversation> committed(std::string_view id) const;  // of a listed conversation; creates no runtime
  std::shared_ptr<ConversationRuntime> add(Conversation conversation, bool known);  // known: the store has the conversation
  // Returns the active conversations, which have a runtime.
  std::vector<std::shared_ptr<ConversationRuntime>> add_stored(std::vector<PackedConversation> all, const std::vector<Ask>& asks);
  bool erase(std::string_view id);  // false: the conversation has no runtime
  std::shared_ptr<ConversationRuntime> with_ask(
      std::string_view ask) const;  // null: no conversation has this open or orphaned request
  // Both cover all known conversations, with and without a runtime, and create no runtime.
  std::size_t size() const { return runtimes_.size() + idle_.size(); }
  bool contains(std::string_view id) const { return runtimes_.contains(id) || idle_.find(id) != nullptr; }
  void visit(const std::function<void(const PackedStart& start)>& visitor) const;  // all conversations

  // Iteration over the conversations with a runtime; do not add or remove one meanwhile. `idle`: all others, packed.
  auto begin() const { return runtimes_.begin(); }
  auto end() const { return runtimes_.end(); }
  const PackedConversations& idle() const { return idle_; }

 private:
  // Packs runtimes without a use for a minute, at most every ten seconds.
  void on_turn_end() override;
  // The packed form would lose no state: no caller, agent, work or listener uses the runtime, and memory and store are equal.
  bool is_idle(const std::shared_ptr<ConversationRuntime>& runtime) const;

  Core& core_;
  WriteObserver& observer_;
  std::map<std::string, std::shared_ptr<ConversationRuntime>, std::less<>> runtimes_;
  PackedConversations idle_;
  TimePoint next_look_{};
};

// A single line of at most limits::conversation_title_bytes.
std::string title_of(std::string_view text);
// User::name of the acting user of a team.
inline std::optional<std::string> name_or_nothing(const std::string& by) { return by.empty() ? std::nullopt : std::optional(by); }

}  // namespace parlance::hub

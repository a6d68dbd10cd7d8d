// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: the run-time state of a conversation, its open requests, and all conversations of the hub.
// Loop thread only.
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
#include "parlance/hub/agent.h"
#include "parlance/hub/conversation/packed.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/log/commands_under_way.h"
#include "parlance/hub/log/event_log.h"
#include "parlance/hub/log/followed.h"
#include "parlance/hub/log/ownership.h"

namespace parlance::hub {

class RunningTurn;

// An ask of a running turn. The hub and the waiting coroutine share ownership; the hub's share ends when the ask is settled.
struct PendingAsk final : Timer {
  PendingAsk(Loop& loop, Hub::Implementation& owner) : hub(owner), claimed(loop), answer(loop) {}
  void on_timer() override;  // the ask expires
  void claim(AskRequest request);

  Hub::Implementation& hub;
  Ask ask;
  std::optional<Ask> as_asked;  // before a person's edit
  std::vector<OfferedRule> rules;
  std::optional<ToolIntent> intent;
  TimePoint expires = never;
  bool settling = false;   // the first answer is being written to the store
  bool abandoned = false;  // no caller waits for the answer
  bool unclaimed = false;  // restored from a previous run; the agent has not repeated the request yet
  Signal claimed;          // the agent has repeated the request, or the ask is settled
  OneShot<AskAnswer> answer;
};

// A request about a call from the previous program, with an open card or with an answer.
struct AskedBefore {
  std::string call;
  std::string digest;  // of the request as first made
  std::shared_ptr<PendingAsk> open;
  std::optional<AskAnswer> settled;
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
  bool at_rest() const { return unwritten.empty() && ahead.empty(); }
};

// A conversation with all its run-time state.
struct Room {
  Room(Loop& loop, Hub::Implementation& hub, Store& store, Conversation conversation, bool known);
  ~Room();
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  Conversation live, shown;  // current; as committed and known to the frontends
  bool known;                // the store has the conversation
  bool listed;               // the hub notifies frontends about the conversation
  Ownership ownership{Ownership::State::local};
  std::optional<Error> refused;  // why the last takeover failed
  CommandsUnderWay doing;        // commands of other hubs
  TimePoint used{};              // time of the last action in the conversation by the hub
  TimePoint sought{};            // time of the last use of the room by any caller
  bool is_at_rest() const;       // stored, and without work of the hub
  bool removing = false;
  bool replaying = false;  // the agent replays earlier messages: no turn begins
  std::shared_ptr<Agent> agent;
  AgentRenewal renewal;
  std::unique_ptr<RunningTurn> turn;
  Signal idle;  // a turn ended, an agent is closed, or a change of the owner ended
  QueueFlow queue;
  std::shared_ptr<Followed> followed;  // by subscribers
  std::optional<History> history;      // of all written messages; kept from an agent's first request on
  EventLog log;
};

// All conversations. A conversation without run-time state is idle: it has no room and is packed. A lookup creates the room. The
// room ends when nothing has used it for a minute and many rooms exist.
class Rooms final : private TurnEnd {
 public:
  explicit Rooms(Hub::Implementation& hub) : hub_(hub) {}

  std::shared_ptr<Room> find(std::string_view id);                   // null: unknown
  std::optional<Conversation> shown(std::string_view id) const;      // of a listed conversation; creates no room
  std::shared_ptr<Room> add(Conversation conversation, bool known);  // known: the store has the conversation
  // Returns the active conversations, which have a room.
  std::vector<std::shared_ptr<Room>> add_stored(std::vector<PackedConversation> all, const std::vector<Ask>& asks);
  bool erase(std::string_view id);  // false: the conversation has no room
  std::size_t size() const { return rooms_.size() + idle_.size(); }
  bool contains(std::string_view id) const { return rooms_.contains(id) || idle_.find(id) != nullptr; }
  void visit(const std::function<void(const PackedStart& one)>& visitor) const;  // all conversations

  // The conversations with a room, and all others.
  auto begin() const { return rooms_.begin(); }
  auto end() const { return rooms_.end(); }
  const PackedConversations& idle() const { return idle_; }

 private:
  void on_turn_end() override;
  bool is_idle(const std::shared_ptr<Room>& room) const;

  Hub::Implementation& hub_;
  std::map<std::string, std::shared_ptr<Room>, std::less<>> rooms_;
  PackedConversations idle_;
  TimePoint next_look_{};
};

}  // namespace parlance::hub

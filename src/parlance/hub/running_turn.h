// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: one conversation at work, its running turn, and the asks that wait in it. Loop thread only.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/loop.h"
#include "parlance/hub/agent.h"
#include "parlance/hub/followed.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/limits.h"
#include "parlance/hub/log/commands_under_way.h"
#include "parlance/hub/log/event_log.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/hub/policy/allowed_edits.h"
#include "parlance/hub/policy/spending.h"
#include "parlance/hub/team/rights.h"

namespace parlance::hub {

class RunningTurn;

// An ask whose turn runs. Kept by the hub until it is settled, and by the coroutine that waits for it.
struct PendingAsk final : Timer {
  PendingAsk(Loop& loop, Hub::Implementation& owner) : hub(owner), claimed(loop), answer(loop) {}
  void on_timer() override;  // it expires
  void claim(AskRequest request);

  Hub::Implementation& hub;
  Ask ask;
  std::optional<Ask> as_asked;  // before a person changed it
  std::vector<OfferedRule> rules;
  std::optional<ToolIntent> intent;
  TimePoint expires = never;
  bool settling = false;   // somebody's answer is on its way into the store: the first one
  bool abandoned = false;  // nobody waits for it any more
  bool unclaimed = false;  // restored from a previous run; the agent has not repeated the request yet
  Signal claimed;          // it is known, or the ask is settled
  OneShot<AskAnswer> answer;
};

// The prompt of an agent, until it ends or its time after a stop is over.
class PromptRun final : private Timer {
 public:
  PromptRun(Loop& loop, Task<Result<StopReason>> task) : loop_(loop), task_(std::move(task)) {}
  void interrupt_at(TimePoint when) {  // the first time counts: asking again gives no more
    if (waiting_ && !running()) start(loop_, when);
  }
  bool interrupted() const { return interrupted_; }

  bool await_ready() const { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) {
    waiting_ = waiting;
    task_.handle().promise().continuation = waiting;
    return task_.handle();
  }
  Result<StopReason> await_resume() {
    stop();
    if (interrupted_) return StopReason::cancelled;
    return task_.handle().promise().take();
  }

 private:
  void on_timer() override {
    interrupted_ = true;
    task_ = {};
    waiting_.resume();
  }
  Loop& loop_;
  Task<Result<StopReason>> task_;
  std::coroutine_handle<> waiting_;
  bool interrupted_ = false;
};

// What was asked about a call in the program before this one: its card is there still, or its answer.
struct AskedBefore {
  std::string call;
  std::string digest;  // as it was asked
  std::shared_ptr<PendingAsk> open;
  std::optional<AskAnswer> settled;
};

// A conversation with all that belongs to it while the program runs.
struct Room {
  Room(Loop& loop, Hub::Implementation& hub, Store& store, Conversation conversation, bool known);
  ~Room();
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  Conversation live, shown;  // as it is; as the store has it and the frontends know it
  bool known;                // the store has it
  bool listed;               // faces hear of it
  // Only the owner writes. In a shared store another hub may be the owner (following.cpp, elsewhere.cpp).
  bool owned = true;
  bool moving = false;           // it becomes ours just now, or ceases to be
  bool has_owner = false;        // of one that is followed: a hub that lives, as far as we heard
  std::optional<Error> refused;  // why it could not become ours
  CommandsUnderWay doing;        // commands of others
  TimePoint used{};              // when something was done here last
  bool is_here() const { return owned && !moving; }
  bool removing = false;
  bool replaying = false;  // its agent tells what was said before: no turn begins
  std::shared_ptr<Agent> agent;
  bool outdated = false;    // its agent is let go behind the turn that runs
  bool letting_go = false;  // it ends just now, and no other is opened before
  std::unique_ptr<RunningTurn> turn;
  Signal idle;                         // a turn ended, or an agent that was let go
  std::set<std::string> unwritten;     // prompts of the queue that are not in the store yet
  std::set<std::string> ahead;         // prompts that were sent while the queue was held: they run before it
  bool flows = false;                  // the queue goes on when its first is
  std::shared_ptr<Followed> followed;  // by those who are told
  std::optional<History> history;      // of all that is written; kept from the first time that an agent wants it
  EventLog log;
};

class RunningTurn final : public Turn {
 public:
  RunningTurn(Hub::Implementation& hub, Room& room, std::string id, std::string by = {});  // by: User::name; empty: this machine

  const std::string& id() const override { return id_; }
  const Conversation& conversation() const override { return room_.live; }
  void emit(EventBody body) override;
  bool congested() const override;
  Task<Result<void>> written() override { return room_.log.written(); }
  Task<Result<AskAnswer>> ask(AskRequest request) override;
  // The same for the workspace, which carries out what the agent has asked about before (policy/allowed_edits.h).
  Task<Result<AskAnswer>> ask_to_write(AskRequest request);
  Decision decide(std::string_view tool, const ToolIntent& intent) const override;
  Task<Result<std::vector<ChatMessage>>> history() override;
  Task<Result<Attachment>> attachment(std::string id) override;
  AttachmentInfo keep(Attachment attachment) override;
  bool cancelled() const override { return stopping_; }
  bool is_of_guest() const override { return of_guest_; }
  void set_mode(Mode mode) override;
  void set_options(std::vector<AgentOption> options) override;
  void set_native_session(std::string id) override;
  void set_waits_for(std::string what) override;

  // It ran in the program before this one (taken_up.cpp).
  void begin_as_it_was(const TurnSoFar& so_far, WallTime now, std::vector<AskedBefore> asked);

  const std::string& by() const { return by_; }
  void note_guest() { of_guest_ = true; }

  void stop();            // a person wants it to end
  void end_of_program();  // … or the whole program does: it is told as after a crash, because nobody wanted it
  bool cut_off() const { return cut_off_; }
  bool told_usage() const { return told_usage_; }  // its agent said what it used
  void lose();                                     // another hub has the conversation: nothing of it is written
  void leave();                                    // the program ends, and the next one takes it up: nothing of it is ended
  bool left() const { return left_; }
  // Thinking and calls that are still open are closed, then the turn itself.
  void finish(StopReason reason);

  PromptRun* run = nullptr;  // while the agent works on it

 private:
  // Of those of before, what is asked here again: taken out. Nothing: it is asked for the first time.
  std::optional<AskedBefore> take_asked_before(const Ask& ask);
  // What was asked about the call before is not asked anew: its cards go.
  void forget_asked_before(const std::optional<std::string>& call, AskState state, const AskAnswer& answer);
  Hub::Implementation& hub_;
  Room& room_;
  std::string id_;
  std::string by_;
  TimePoint started_;
  std::optional<TimePoint> thinking_since_;
  std::set<std::string> open_calls_;
  AllowedEdits allowed_edits_;
  std::vector<AskedBefore> asked_before_;
  bool stopping_ = false;
  bool cut_off_ = false;
  bool told_usage_ = false;
  bool left_ = false;
  bool of_guest_ = false;
};

// What is used of models, as far as limits ask for it; all sums are in the store.
struct Spending {
  SpendingLimits limits;
  std::string day;  // of `today`
  Spent today;
  std::map<std::string, Spent, std::less<>> in_conversation;
};

// What a turn leaves that the program did not live to end.
inline event::Failure cut_off_failure() {
  return {.code = "interrupted", .message = "parlance ended while this turn was running", .retryable = true};
}

struct Hub::Implementation {
  Implementation(Hub& hub, Loop& loop, Store& store, HubSettings settings);

  // ---- conversations (conversations.cpp)
  std::shared_ptr<Room> find_room(std::string_view id) const;
  std::shared_ptr<Room> add_room(Conversation conversation, bool known);
  std::shared_ptr<AgentProvider> provider(std::string_view id) const;  // null: none. Kept by callers across awaits
  std::string time_text() const { return to_rfc3339(settings.wall_clock()); }
  void touch(Room& room);  // its row goes to the store
  Task<Result<std::shared_ptr<Room>>> make_room(NewConversation request, NativeSession session);
  void forget(const std::shared_ptr<Room>& room);  // it is in the store no more

  // ---- what a person wants (prompts.cpp, settings.cpp, running_turn.cpp, asks.cpp). An id says that another hub has left it: what comes of
  // it is written together with what it does. `wish` is of whoever awaits, until then; what is taken out of it is gone.
  Task<Result<Prompted>> want(Command wish);  // done here, or by the hub that has the conversation
  Task<void> want_unheard(Command wish);
  Task<Result<Prompted>> perform(std::shared_ptr<Room> room, Command& wish);
  Task<Result<Prompted>> perform_at_once(std::shared_ptr<Room> room, Command& wish);
  Task<Result<Prompted>> prompt(std::shared_ptr<Room> room, Command& wish);
  Task<Result<Prompted>> carry_on(std::shared_ptr<Room> room, Command& wish);
  Task<Result<Prompted>> prepare(std::shared_ptr<Room> room, Command& wish);
  Task<Result<Prompted>> restart(std::shared_ptr<Room> room, Command& wish);
  Task<Result<Prompted>> withdraw(std::shared_ptr<Room> room, Command& wish);
  Task<Result<Prompted>> set(std::shared_ptr<Room> room, Command& wish);
  Task<Result<Prompted>> set_option(std::shared_ptr<Room> room, Command& wish);
  Task<Result<Prompted>> clear(std::shared_ptr<Room> room, Command& wish);
  Task<Result<Prompted>> remove(std::shared_ptr<Room> room, std::optional<Command> wish = {});  // nothing: nobody does
  Task<Result<void>> remove_rows(const Conversation& conversation, std::optional<Command> wish);
  Task<Result<Ask>> answer(Command wish);
  Task<Result<Prompted>> reask(std::shared_ptr<Room> room, Command& wish);
  void note_done(Room& room, const Command& wish, const Prompted& prompted = {});  // in the operation that does it
  Task<Result<std::shared_ptr<Room>>> room_of_ask(std::string ask);                // null: nobody knows it

  // ---- what other hubs have, in a store that is shared (elsewhere.cpp)
  // What the owner made of it; nothing: the conversation is ours now, and it is to be done here.
  Task<Result<std::optional<Prompted>>> elsewhere(std::shared_ptr<Room> room, Command wish);
  Task<Result<bool>> claim(std::shared_ptr<Room> room);  // false: another hub has it
  Task<void> take_over(std::shared_ptr<Room> room);
  Task<Result<bool>> take(std::shared_ptr<Room> room);
  Task<Result<void>> recover_left(std::shared_ptr<Room> room);  // what is open of a turn that nobody runs
  Task<void> claim_left(std::shared_ptr<Room> room);
  Task<void> release(std::shared_ptr<Room> room);
  void release_idle();
  Task<Result<void>> until_settled(std::shared_ptr<Room> room, TimePoint until);  // deadline_exceeded: the room still moves
  void settled(const std::shared_ptr<Room>& room);  // ends `moving`, and reads the news that came meanwhile
  Task<void> drop(std::shared_ptr<Room> room);      // it is ours no more: its children end, and it is followed
  Task<void> do_commands(std::shared_ptr<Room> room);
  Task<void> do_command(std::shared_ptr<Room> room, Command command);
  bool still_wanted_by(const Room& room, const Command& command) const;
  Task<bool> is_still_wanted(std::string command, std::string conversation);

  // ---- … and following them (following.cpp)
  Task<void> follow();
  Task<void> take_in(News news);
  Task<void> see(SeenConversation now);
  Task<void> tell_settled(std::shared_ptr<Room> room, std::vector<std::string> asks);
  std::vector<std::string> put_seen(Room& room, SeenConversation now);  // asks that wait no more
  Task<Result<void>> see_anew(std::shared_ptr<Room> room);
  Task<void> read_skipped();              // except conversations that still move; a failed read is repeated with the next news
  Task<Result<void>> refresh_standing();  // rules, limits and the team, if they have changed
  Task<Result<void>> load_standing();

  // ---- machines elsewhere, where agents work
  // An agent there is wanted. Errors: disconnected (it is nowhere connected: since when, and what to do).
  Task<Result<void>> reach_place(std::shared_ptr<Room> room);
  Result<void> check_place(const Room& room) const;
  bool is_anothers(const Room& room) const;  // its machine is connected to another hub: that is to have it
  void take_places(std::vector<PlaceAt> now);
  void note_place(PlaceAt now);
  Task<void> hand_over(std::shared_ptr<Room> room);

  // ---- its agent (agent_port.cpp)
  Task<Result<std::shared_ptr<Agent>>> agent_of(std::shared_ptr<Room> room);  // opens it
  Task<Result<void>> replay(std::shared_ptr<Room> room);

  // ---- settings (settings.cpp)
  EventLog::Outcome change(const std::shared_ptr<Room>& room, const Command& wish);
  void log_changes(Room& room, const ConversationChanges& before, const std::string& by);
  std::vector<AgentOption> options_of(const Room& room) const;  // in force
  EventLog::Outcome choose(const std::shared_ptr<Room>& room, AgentOption option, const Command& wish);
  Task<void> tell_settings(std::shared_ptr<Agent> agent, ConversationChanges settings_before);
  Task<void> tell_option(std::shared_ptr<Agent> agent, std::string id, std::string value);
  EventLog::Outcome write_cleared(const std::shared_ptr<Room>& room, const Command& wish);

  // ---- turns (running_turn.cpp)
  // Operations of a person; the id comes back at once.
  EventLog::Outcome begin_turn(const std::shared_ptr<Room>& room, Prompt prompt, Command& wish, std::string& turn);
  EventLog::Outcome queue_prompt(const std::shared_ptr<Room>& room, Prompt prompt, Command& wish, std::string& id);
  std::string open_turn(Room& room, const Prompt& prompt);  // in the log; `run_turn` is next
  Task<void> run_when_written(std::shared_ptr<Room> room, Prompt prompt, std::shared_ptr<OneShot<bool>> written);
  Task<void> run_turn(std::shared_ptr<Room> room, Prompt prompt, std::optional<TurnSoFar> so_far = {});  // continues `so_far`
  Task<Result<StopReason>> drive(std::shared_ptr<Room> room, Prompt prompt, std::optional<TurnSoFar> so_far);
  void next_in_queue(const std::shared_ptr<Room>& room, bool held = false);              // held: only a prompt of Room::ahead
  bool still_may(const Room& room, const std::string& by, Permission permission) const;  // by: a name in the log
  bool is_guest(const Room& room, const std::string& by) const;
  Task<Result<void>> note_authors(std::shared_ptr<Room> room);           // of a turn that continues what somebody wrote before
  void drop_forbidden(Room& room);                                       // at the head of the queue
  void go_on(const std::shared_ptr<Room>& room, const std::string& by);  // a person wants it
  void set_mode(Room& room, Mode mode);
  void set_options(Room& room, std::vector<AgentOption> options);
  void set_native_session(Room& room, std::string id);
  Task<Result<void>> remember(Room& room);  // Room::history is there, and has all that is written
  void forget_histories();                  // of rooms where nothing runs, when there are many
  void set_waits_for(Room& room, std::string what);
  void stop(Room& room, const std::string& by = {});  // who of the team wants it
  Task<void> end(std::shared_ptr<Room> room);         // when its turn has ended
  Task<void> let_go(std::shared_ptr<Agent> agent);    // politely, and not for ever
  void renew(const std::shared_ptr<Room>& room);      // its agent is let go, and opened by the next prompt
  Task<void> let_go_of(std::shared_ptr<Room> room);

  void count_open_asks();  // of what was loaded

  // ---- what a program finds that died before it, a conversation at a time (taken_up.cpp)
  Task<Result<void>> recover(std::shared_ptr<Room> room);
  Task<Result<void>> end_interrupted(Room& room);
  bool can_take_up(const Room& room) const;
  bool is_worth_it(const Room& room, const TurnSoFar& so_far) const;
  Task<Result<void>> take_up(std::shared_ptr<Room> room, TurnSoFar so_far);
  Task<Result<std::vector<AskedBefore>>> asked_before(Room& room, const TurnSoFar& so_far);
  void cancel_lost(Room& room, Ask ask);

  // ---- asks (asks.cpp)
  Ask ask_of(const Room& room, const AskRequest& request) const;  // without an id
  std::shared_ptr<PendingAsk> open_ask(Room& room, Ask ask, AskRequest request);
  void settle(PendingAsk& pending, AskState state, AskAnswer answer);
  std::shared_ptr<PendingAsk> close_ask(PendingAsk& pending, AskState state, const AskAnswer& answer);  // up to the log
  void reopen(const std::shared_ptr<PendingAsk>& pending);
  EventLog::Outcome settle_by_answer(const std::shared_ptr<PendingAsk>& pending, AskAnswer answer, const Command& wish);
  Task<void> deliver(std::shared_ptr<PendingAsk> pending, AskAnswer answer);
  std::string grant(Room& room, Rule rule, const Command& wish);  // its id (rules.cpp)
  void stop_soon(Room& room);                                     // who asked hears why first
  void settle_orphan(Room& room, const Ask& ask, std::string text, const std::string& by);
  void settle_orphans(Room& room, const std::string& text, const std::string& by);  // who of the team did something else
  void settle_all(Room& room, AskState state, std::string_view by);
  void abandon(std::shared_ptr<PendingAsk> pending);
  void decide_again();
  Task<void> decide_again_by_newest();  // without rules that another hub took back
  void decide_open();
  void answer_equal(const Room& room, const PendingAsk& answered, const AskAnswer& answer);
  void count_use(Room& room, const Decision& decision, const std::string& what);
  std::vector<Rule> rules_for(const Room& room) const;  // in the order of trying
  Decision judge(const Action& action, const std::vector<Rule>& by) const;
  Decision decide(const Room& room, std::string_view tool, const ToolIntent& intent) const;
  // The same, for what is done next: a stored rule that another hub took back does not allow it. Errors: the store's.
  Task<Result<Decision>> decide_now(const Room& room, std::string tool, const ToolIntent& intent);

  // ---- spending (spending.cpp)
  Task<Result<void>> load_spending(SpendingLimits limits);
  Task<Result<void>> load_spent_today();  // … by other hubs too
  Task<Result<void>> load_spent_in(std::string conversation);
  void count(Room& room, Spent spent);
  std::vector<std::string> reached_in(const std::string& conversation);  // SpendingLimits
  // Whether a turn may begin: a person is asked where as much was used as is allowed.
  Task<Result<bool>> may_begin(std::shared_ptr<Room> room, Prompt& prompt);
  void let_go_on();  // turns that no limit holds back any more
  Task<void> let_go_on_tomorrow();

  // ---- telling (telling.cpp)
  void told(Room& room, const CommitPtr& written);
  void tell_row(Room& room, std::optional<Access> access_before = {});
  void take_team(TeamPtr now);
  void tell(Change change, std::size_t bytes = 0);
  void store_health(Room& room, const Error* error);

  Hub& hub;
  Loop& loop;
  Store& store;
  SharedStore* const shared;  // the store, if other hubs work on it too
  HubSettings settings;
  std::vector<std::shared_ptr<AgentProvider>> providers;
  std::map<std::string, std::shared_ptr<Room>, std::less<>> rooms;
  std::map<std::string, Ask, std::less<>> asks;  // open and orphaned, as the store has them
  std::map<std::string, std::shared_ptr<PendingAsk>, std::less<>> pending;
  std::vector<Rule> rules;                     // of the store, newest first
  std::uint64_t standing_version = 0;          // of rules, limits and the team, in a store that is shared
  std::set<std::string, std::less<>> skipped;  // conversations whose news came while they moved: to be read again
  TeamPtr team;
  Spending spending;
  std::map<std::string, PlaceAt, std::less<>> places;  // those that connected since the start, or that the store knows
  std::vector<ServiceInfo> services;
  std::vector<std::shared_ptr<Room>> remembered;  // those with a history, the one that was used last at the end
  std::shared_ptr<Watchers> watchers = std::make_shared<Watchers>();
  std::uint64_t events = 0;
  std::uint64_t commits = 0;
  bool started = false;
  bool ending = false;
  bool store_failed = false;                                   // the last write of any conversation
  enum class Leaving { no, soon, now } leaving = Leaving::no;  // others take what nobody has, and do what is wanted
  TimePoint next_release{};
  TimePoint next_read_skipped{};
  Scope scope, closing;  // `closing`: agents that take their time
};

// Whether it is done by the agent: the others leave that alone, or go on without it.
bool needs_agent(CommandKind kind);

// The event that shows an ask, by its kind.
EventBody event_of(const Ask& ask);
AskAnswer answer_of(const std::vector<AskOption>& options, const Decision& decision);  // when policy decided
// User::name, where a user of a team did it.
inline std::optional<std::string> name_or_nothing(const std::string& by) { return by.empty() ? std::nullopt : std::optional(by); }
// One line of at most limits::conversation_title_bytes.
std::string title_of(std::string_view text);

}  // namespace parlance::hub

// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: the running turn of a conversation, and the implementation of the hub. Loop thread only.
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
#include "parlance/hub/hub.h"
#include "parlance/hub/limits.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/hub/policy/allowed_edits.h"
#include "parlance/hub/policy/spending.h"
#include "parlance/hub/room.h"
#include "parlance/hub/team/rights.h"

namespace parlance::hub {

// The prompt of an agent, until the prompt ends or the grace period after a stop is over.
class PromptRun final : private Timer {
 public:
  PromptRun(Loop& loop, Task<Result<StopReason>> task) : loop_(loop), task_(std::move(task)) {}
  void interrupt_at(TimePoint when) {  // the first call counts: further calls do not extend the time
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

class RunningTurn final : public Turn {
 public:
  RunningTurn(Hub::Implementation& hub, Room& room, std::string id, std::string by = {});  // by: User::name; empty: this machine

  const std::string& id() const override { return id_; }
  const Conversation& conversation() const override { return room_.live; }
  void emit(EventBody body) override;
  bool congested() const override;
  Task<Result<void>> written() override { return room_.log.written(); }
  Task<Result<AskAnswer>> ask(AskRequest request) override;
  // Like ask, for the workspace, which carries out edits after an earlier request of the agent (policy/allowed_edits.h).
  Task<Result<AskAnswer>> ask_to_write(AskRequest request);
  Decision decide(std::string_view tool, const ToolIntent& intent) const override;
  Task<Result<HistoryPart>> history_since(HistoryMark known) override;
  Task<Result<Attachment>> attachment(std::string id) override;
  AttachmentInfo keep(Attachment attachment) override;
  bool cancelled() const override { return stopping_; }
  bool is_of_guest() const override { return of_guest_; }
  void set_mode(Mode mode) override;
  void set_options(std::vector<AgentOption> options) override;
  void set_native_session(std::string id) override;
  void set_waits_for(std::string what) override;

  // Restores a turn of the previous program (taken_up.cpp).
  void begin_as_it_was(const TurnSoFar& so_far, WallTime now, std::vector<AskedBefore> asked);

  const std::string& by() const { return by_; }
  void note_guest() { of_guest_ = true; }

  void stop();            // a person stops the turn
  void end_of_program();  // the program ends: reported like a crash, because no person stopped the turn
  bool cut_off() const { return cut_off_; }
  bool told_usage() const { return told_usage_; }  // the agent reported its usage
  void lose();                                     // another hub owns the conversation: the turn writes no further events
  void leave();                                    // the program ends, and the next program continues the turn: no end is written
  bool left() const { return left_; }
  // Closes open thinking and open calls, then the turn.
  void finish(StopReason reason);

  PromptRun* run = nullptr;  // while the agent works on the prompt

 private:
  // Removes and returns the earlier request that `ask` repeats. Absent: the agent makes the request for the first time.
  std::optional<AskedBefore> take_asked_before(const Ask& ask);
  // Closes the cards of earlier requests about the call: the agent does not repeat the requests.
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

// Use of models, as far as limits need; the store has all sums.
struct Spending {
  SpendingLimits limits;
  std::string day;  // the day of `today`
  Spent today;
  std::map<std::string, Spent, std::less<>> in_conversation;
};

struct Hub::Implementation {
  Implementation(Hub& hub, Loop& loop, Store& store, HubSettings settings);

  // ---- conversations (conversations.cpp)
  std::shared_ptr<Room> find_room(std::string_view id) { return rooms.find(id); }  // null: unknown
  std::shared_ptr<AgentProvider> provider(std::string_view id) const;              // null: no such agent; held across awaits
  std::string time_text() const { return to_rfc3339(settings.wall_clock()); }
  void touch(Room& room);  // writes the row of the conversation to the store
  Task<Result<std::shared_ptr<Room>>> make_room(NewConversation request, NativeSession session);
  void forget(const std::shared_ptr<Room>& room);  // after the removal from the store

  // ---- commands (prompts.cpp). An id marks a command from another hub: the hub writes the outcome together with the effect.
  Task<Result<Prompted>> submit(Submission from);  // performed here, or by the owner of the conversation
  Task<void> submit_unheard(Submission from);
  Result<void> submit_at_once(Submission from);  // a stop or the resumption of a queue, without a wait
  void stop_for(Room& room, const StopTurn& command, const std::string& by);
  Task<Result<Prompted>> perform(std::shared_ptr<Room> room, Submission& from);
  // One for each command. The awaiting caller owns `from`, which contains `command`; the callee may move parts out of both.
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, SendPrompt& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, ContinueTurn& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, PrepareAgent& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, RestartAgent& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, WithdrawPrompt& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, StopTurn& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, ResumeQueue& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, ChangeSettings& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, SetOption& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, ClearConversation& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, RemoveConversation& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, AnswerRequest& command);
  Task<Result<Prompted>> execute(std::shared_ptr<Room> room, Submission& from, RepeatRequest& command);
  Task<Result<Prompted>> remove(std::shared_ptr<Room> room, std::optional<Submission> from = {});  // absent: no person asks
  Task<Result<void>> remove_rows(const Conversation& conversation, std::optional<Submission> from);
  Task<Result<Ask>> answer(const Submission& from, const AnswerRequest& command);
  void note_done(Room& room, const Submission& from, const Prompted& prompted = {});  // in the operation with the effect
  Task<Result<std::shared_ptr<Room>>> room_of_ask(std::string ask);                   // null: unknown ask

  // ---- conversations of other hubs, in a shared store (elsewhere.cpp)
  Task<Result<std::optional<Prompted>>> elsewhere(std::shared_ptr<Room> room, Submission from);  // absent: we own the room now
  Task<Result<bool>> claim(std::shared_ptr<Room> room);  // false: another hub is the owner
  Task<void> take_over(std::shared_ptr<Room> room);
  Task<Result<bool>> take(std::shared_ptr<Room> room);
  Task<Result<void>> recover_left(std::shared_ptr<Room> room);  // open parts of a turn without a running owner
  Task<void> claim_left(std::shared_ptr<Room> room);
  Task<void> release(std::shared_ptr<Room> room);
  void release_idle();
  Task<Result<void>> until_settled(std::shared_ptr<Room> room,
                                   TimePoint until);  // deadline_exceeded: the owner is still changing
  void settled(const std::shared_ptr<Room>& room);    // after the end of a change of the owner: reads news that arrived meanwhile
  Task<void> drop(std::shared_ptr<Room> room);  // the hub is no longer the owner: closes the agent and follows the conversation
  Task<void> do_commands(std::shared_ptr<Room> room);
  Task<void> do_command(std::shared_ptr<Room> room, Submission from);
  bool still_wanted_by(const Room& room, const Submission& from) const;
  Task<bool> is_still_wanted(std::string command, std::string conversation);

  // ---- replication from other hubs (following.cpp)
  Task<void> follow();
  Task<void> take_in(News news);
  Task<void> see(SeenConversation now);
  Task<void> tell_settled(std::shared_ptr<Room> room, std::vector<std::string> asks);
  std::vector<std::string> put_seen(Room& room, SeenConversation now);  // returns the asks that no longer wait
  Task<Result<void>> see_anew(std::shared_ptr<Room> room);
  Task<void> read_skipped();              // except conversations with a changing owner; the next news repeat a failed read
  Task<Result<void>> refresh_standing();  // rules, limits and the team, after a change
  Task<Result<void>> load_standing();

  // ---- runners, where agents work
  // Hands the conversation to the hub with the runner. Errors: disconnected (no connection; names the time and the remedy).
  Task<Result<void>> reach_place(std::shared_ptr<Room> room);
  Result<void> check_place(const Room& room) const;
  bool is_anothers(const Room& room) const;  // another hub has the connection to the runner, and should own the conversation
  void take_places(std::vector<PlaceAt> now);
  void note_place(PlaceAt now);
  Task<void> hand_over(std::shared_ptr<Room> room);

  // ---- the agent of a conversation (agent_port.cpp)
  Task<Result<std::shared_ptr<Agent>>> agent_of(std::shared_ptr<Room> room);  // opens the agent
  Task<Result<void>> replay(std::shared_ptr<Room> room);

  // ---- settings (settings.cpp)
  EventLog::Outcome change(const std::shared_ptr<Room>& room, const Submission& from, const ConversationChanges& changes);
  void log_changes(Room& room, const ConversationChanges& before, const std::string& by);
  std::vector<AgentOption> options_of(const Room& room) const;  // in force
  EventLog::Outcome choose(const std::shared_ptr<Room>& room, AgentOption option, const Submission& from);
  Task<void> tell_settings(std::shared_ptr<Agent> agent, ConversationChanges settings_before);
  Task<void> tell_option(std::shared_ptr<Agent> agent, std::string id, std::string value);
  EventLog::Outcome write_cleared(const std::shared_ptr<Room>& room, const Submission& from);

  // ---- turns (running_turn.cpp)
  // Operations of a person; the id is set at once.
  EventLog::Outcome begin_turn(const std::shared_ptr<Room>& room, Prompt prompt, std::vector<Attachment> attachments,
                               const Submission& from, std::string& turn);
  EventLog::Outcome queue_prompt(const std::shared_ptr<Room>& room, Prompt prompt, std::vector<Attachment> attachments,
                                 const Submission& from, std::string& id);
  std::string open_turn(Room& room, const Prompt& prompt);  // writes to the log; `run_turn` follows
  Task<void> run_when_written(std::shared_ptr<Room> room, Prompt prompt, std::shared_ptr<OneShot<bool>> written);
  Task<void> run_turn(std::shared_ptr<Room> room, Prompt prompt, std::optional<TurnSoFar> so_far = {});  // continues `so_far`
  Task<Result<StopReason>> drive(std::shared_ptr<Room> room, Prompt prompt, std::optional<TurnSoFar> so_far);
  void next_in_queue(const std::shared_ptr<Room>& room, bool held = false);  // held: only a prompt of QueueFlow::ahead
  bool still_may(const Room& room, const std::string& by, Permission permission) const;  // by: a name in the log
  bool is_guest(const Room& room, const std::string& by) const;
  Task<Result<void>> note_authors(std::shared_ptr<Room> room);           // of a turn that continues earlier messages
  void drop_forbidden(Room& room);                                       // at the head of the queue
  void go_on(const std::shared_ptr<Room>& room, const std::string& by);  // at a person's request
  void set_mode(Room& room, Mode mode);
  void set_options(Room& room, std::vector<AgentOption> options);
  void set_native_session(Room& room, std::string id);
  Task<Result<void>> remember(Room& room);  // fills Room::history with all written messages
  void forget_histories();                  // of idle rooms, when many rooms have histories
  void set_waits_for(Room& room, std::string what);
  void stop(Room& room, const std::string& by = {});  // by: User::name of the person
  Task<void> end(std::shared_ptr<Room> room);         // after the end of its turn
  Task<void> let_go(std::shared_ptr<Agent> agent);    // politely, with a time limit
  void renew(const std::shared_ptr<Room>& room);      // closes the agent; the next prompt opens the agent again
  Task<void> let_go_of(std::shared_ptr<Room> room);

  void count_open_asks();  // of the loaded asks

  // ---- recovery after a program that died, conversation by conversation (taken_up.cpp)
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
  EventLog::Outcome settle_by_answer(const std::shared_ptr<PendingAsk>& pending, AskAnswer answer, const Submission& from);
  Task<void> deliver(std::shared_ptr<PendingAsk> pending, AskAnswer answer);
  std::string grant(Room& room, Rule rule, const Submission& from);  // returns the id of the rule (rules.cpp)
  void stop_soon(Room& room);                                        // the asking agent gets the reason first
  void settle_orphan(Room& room, const Ask& ask, std::string text, const std::string& by);
  void settle_orphans(Room& room, const std::string& text, const std::string& by);  // by: User::name of the next author
  void settle_all(Room& room, AskState state, std::string_view by);
  void abandon(std::shared_ptr<PendingAsk> pending);
  void decide_again();
  Task<void> decide_again_by_newest();  // without rules that another hub revoked
  void decide_open();
  void answer_equal(const Room& room, const PendingAsk& answered, const AskAnswer& answer);
  void count_use(Room& room, const Decision& decision, const std::string& what);
  std::vector<Rule> rules_for(const Room& room) const;  // in the order of evaluation
  Decision judge(const Action& action, const std::vector<Rule>& by) const;
  Decision decide(const Room& room, std::string_view tool, const ToolIntent& intent) const;
  // Like decide, without rules that another hub revoked, for an action that follows at once. Errors: the store's.
  Task<Result<Decision>> decide_now(const Room& room, std::string tool, const ToolIntent& intent);

  // ---- spending (spending.cpp)
  Task<Result<void>> load_spending(SpendingLimits limits);
  Task<Result<void>> load_spent_today();  // including use by other hubs
  Task<Result<void>> load_spent_in(std::string conversation);
  void count(Room& room, Spent spent);
  std::vector<Reason> reached_in(const std::string& conversation);  // SpendingLimits
  // Whether a turn may begin. At a reached limit, the hub asks a person.
  Task<Result<bool>> may_begin(std::shared_ptr<Room> room, Prompt& prompt);
  void let_go_on();  // resumes turns below all limits
  Task<void> let_go_on_tomorrow();

  // ---- notification of frontends (telling.cpp)
  void told(Room& room, const CommitPtr& written);
  void tell_row(Room& room, std::optional<Access> access_before = {});
  void take_team(TeamPtr now);
  void tell(Change change, std::size_t bytes = 0);
  void store_health(Room& room, const Error* error);

  Hub& hub;
  Loop& loop;
  Store& store;
  SharedStore* const shared;  // the store, if other hubs share the store; otherwise null
  HubSettings settings;
  std::vector<std::shared_ptr<AgentProvider>> providers;
  Rooms rooms{*this};
  std::map<std::string, Ask, std::less<>> asks;  // open and orphaned, as in the store
  std::map<std::string, std::shared_ptr<PendingAsk>, std::less<>> pending;
  std::vector<Rule> rules;                     // of the store, newest first
  std::uint64_t standing_version = 0;          // of rules, limits and the team, in a shared store
  std::set<std::string, std::less<>> skipped;  // conversations with unread news, because their owner is changing
  TeamPtr team;
  Spending spending;
  std::map<std::string, PlaceAt, std::less<>> places;  // runners that connected since the start or are in the store
  std::vector<ServiceInfo> services;
  std::vector<std::shared_ptr<Room>> remembered;  // rooms with a history, the most recently used at the end
  std::shared_ptr<Watchers> watchers = std::make_shared<Watchers>();
  std::uint64_t events = 0;
  std::uint64_t commits = 0;
  bool started = false;
  bool ending = false;
  bool store_failed = false;                                   // at the last write of any conversation
  enum class Leaving { no, soon, now } leaving = Leaving::no;  // other hubs take unowned conversations and perform commands
  TimePoint next_release{};
  TimePoint next_read_skipped{};
  Scope scope, closing;  // `closing`: agents that are closing
};

event::Failure cut_off_failure();  // of a turn whose program ended during the turn
// The event that shows an ask, by its kind.
EventBody event_of(const Ask& ask);
AskAnswer answer_of(const std::vector<AskOption>& options, const Decision& decision);  // for a decision by policy
// User::name of the acting user of a team.
inline std::optional<std::string> name_or_nothing(const std::string& by) { return by.empty() ? std::nullopt : std::optional(by); }
// A single line of at most limits::conversation_title_bytes.
std::string title_of(std::string_view text);

}  // namespace parlance::hub

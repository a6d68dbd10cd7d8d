// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: the running turn of a conversation. Loop thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/policy/allowed_edits.h"
#include "parlance/hub/runtime/agent_reports.h"
#include "parlance/hub/runtime/conversation_runtime.h"
#include "parlance/hub/runtime/histories.h"
#include "parlance/hub/runtime/request_book.h"
#include "parlance/hub/runtime/shared_settings.h"
#include "parlance/hub/runtime/spending.h"

namespace parlance::hub {

// The parts of the hub below a turn.
struct TurnParts {
  Core& core;
  SharedSettings& settings;
  Spending& spending;
  Histories& histories;
  RequestBook& requests;
  AgentReports& reports;
};

// The prompt of an agent, until the prompt ends or the grace period after a stop is over.
class PromptRun final : private Timer {
 public:
  PromptRun(Loop& loop, Task<Result<StopReason>> task) : loop_(loop), task_(std::move(task)) {}
  void interrupt_at(TimePoint when) {  // the first call counts: further calls do not extend the time
    if (waiting_ && !running()) start(loop_, when);
  }
  // The grace period ended before the prompt: the agent's coroutine was destroyed, so its state is unknown.
  bool interrupted() const { return interrupted_; }

  // Awaited once, by TurnRunner::run_turn; returns `cancelled` after an interruption.
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

// The hub's side of Turn. Owned by its ConversationRuntime until the turn has ended.
class RunningTurn final : public Turn {
 public:
  RunningTurn(const TurnParts& parts, ConversationRuntime& runtime, std::string id,
              std::string by = {});  // by: User::name; empty: this machine

  const std::string& id() const override { return id_; }
  const SessionSetup& setup() const override { return runtime_.current; }
  bool emit(EventBody body) override;
  bool congested() const override;
  Task<Result<void>> written() override { return runtime_.log.written(); }
  Task<Result<AskAnswer>> ask(AskRequest request) override;
  // Like ask, for the workspace, which carries out edits after an earlier request of the agent (policy/allowed_edits.h).
  Task<Result<AskAnswer>> ask_to_write(AskRequest request);
  Decision decide(std::string_view tool, const ToolIntent& intent) const override;
  Task<Result<HistoryPart>> history_since(HistoryMark known) override;
  Task<Result<Attachment>> attachment(std::string id) override;
  AttachmentInfo keep(Attachment attachment) override;
  bool cancelled() const override { return ending_ != Ending::none; }
  bool is_of_guest() const override { return of_guest_; }
  void set_mode(Mode mode) override;
  void set_options(std::vector<AgentOption> options) override;
  void set_agent_session(std::string id) override;
  void set_waits_for(std::string what) override;

  // Restores a turn of the previous program (recovery.cpp).
  void restore(const TurnSoFar& so_far, WallTime now, std::vector<AskedBefore> asked);

  // User::name of the turn's author; empty: the person of this machine.
  const std::string& by() const { return by_; }
  // A guest wrote an earlier message of the turn, so Turn::is_of_guest holds from now on.
  void note_guest() { of_guest_ = true; }

  void stop();            // a person stops the turn
  void end_of_program();  // the program ends: reported like a crash, because no person stopped the turn
  // `end_of_program` was called before any stop.
  bool cut_off() const { return ending_ == Ending::cut_off; }
  bool usage_reported() const { return usage_reported_; }  // the agent reported its usage
  void lose();                                             // another hub owns the conversation: the turn writes no further events
  void leave();  // the program ends, and the next program continues the turn: no end is written
  // `leave` or `lose` was called: no further event of the turn is written here.
  bool left() const { return left_; }
  // Closes open thinking and open calls, then the turn.
  void finish(StopReason reason);

  PromptRun* run = nullptr;  // while the agent works on the prompt

 private:
  enum class Ending : std::uint8_t { none, stopped, cut_off };  // the first reason counts
  // Records the first reason, cancels open requests, and gives the agent limits::stop_grace for a good end. Without an agent the
  // prompt ends at once.
  void end_prompt(Ending reason);
  // Removes and returns the earlier request that `ask` repeats. Absent: the agent makes the request for the first time.
  std::optional<AskedBefore> take_asked_before(const Ask& ask);
  // Closes the cards of earlier requests about the call: the agent does not repeat the requests.
  void forget_asked_before(const std::optional<std::string>& call, AskState state, const AskAnswer& answer);
  const TurnParts& parts_;
  ConversationRuntime& runtime_;
  std::string id_;
  std::string by_;
  TimePoint started_;
  std::optional<TimePoint> thinking_since_;
  std::set<std::string> open_calls_;
  AllowedEdits allowed_edits_;
  std::vector<AskedBefore> asked_before_;
  Ending ending_ = Ending::none;
  bool usage_reported_ = false;
  bool left_ = false;
  bool of_guest_ = false;
};

event::Failure cut_off_failure();  // of a turn whose program ended during the turn
// The time from `time` (RFC 3339) to `now`. Zero for a time in the future, and for an invalid text.
Duration time_since(const std::string& time, WallTime now);

}  // namespace parlance::hub

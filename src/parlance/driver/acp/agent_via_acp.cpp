// SPDX-License-Identifier: Apache-2.0
// The agent of a conversation.
#include <algorithm>
#include <optional>
#include <utility>

#include "parlance/async/channel.h"
#include "parlance/base/log.h"
#include "parlance/driver/acp/held_mode.h"
#include "parlance/driver/acp/limits.h"
#include "parlance/driver/acp/link.h"
#include "parlance/driver/acp/lost_session.h"
#include "parlance/driver/acp/permission_asks.h"
#include "parlance/driver/acp/prompt_blocks.h"
#include "parlance/driver/acp/shared.h"
#include "parlance/driver/acp/updates.h"
#include "parlance/driver/acp/words.h"
#include "parlance/driver/acp/workspace_calls.h"
#include "parlance/hub/conversation/event.h"

namespace parlance::driver {
namespace {

hub::ToolEndState open_calls_after(hub::StopReason turn) {
  if (turn == hub::StopReason::cancelled) return hub::ToolEndState::cancelled;
  return turn == hub::StopReason::error ? hub::ToolEndState::failed : hub::ToolEndState::done;
}

// Settings and folder of the agent's session. iFlow accepts options and plan mode only at the begin of a session; other agents
// accept neither.
struct Started {
  hub::PromptOptions options{};
  std::string folder{};
  bool plans = false;

  bool fits(const hub::PromptOptions& wanted, const hub::SessionSetup& setup, acp::Flavour flavour) const {
    if (setup.folder != folder) return false;
    return flavour == acp::Flavour::standard || (wanted == options && (setup.mode == hub::Mode::plan) == plans);
  }
};

class AcpAgent final : public hub::Agent, private WorkspaceCalls, private AcpUpdates::Sink {
 public:
  AcpAgent(std::shared_ptr<AcpShared> shared, const hub::SessionSetup& setup, hub::AgentHost host)
      : WorkspaceCalls(host.workspace, shared->settings),
        shared_(std::move(shared)),
        setup_(setup),
        given_(host),
        asks_(updates_, shared_->settings),
        changed_(shared_->loop),
        link_(shared_->loop, shared_->settings, *this),
        held_(link_, shared_->settings) {}

  Task<Result<void>> prepare(hub::PromptOptions options) override { co_return co_await start(options, nullptr); }

  Task<Result<hub::StopReason>> prompt(hub::Turn& turn, hub::Prompt prompt) override {
    const Running running(*this, turn);
    take_settings(turn.setup());
    PARLANCE_CO_TRY_DO(co_await start(prompt.options, &turn));
    PARLANCE_CO_TRY_DO(co_await take_over());
    PARLANCE_CO_TRY(blocks, co_await blocks_of(turn, std::move(prompt)));
    for (int followed = 0;; ++followed) {
      if (cancelled_) co_return hub::StopReason::cancelled;
      auto result = co_await link_.client().prompt({.session_id = link_.session(), .prompt = std::move(blocks)});
      const bool stopped = cancelled_ || asks_.stopped();
      const hub::StopReason reason = stopped  ? hub::StopReason::cancelled
                                     : result ? stop_reason_of(result->stop_reason)
                                              : hub::StopReason::error;
      updates_.end_turn(open_calls_after(reason));
      // Some agents end their turn as cancelled after a rejection; the person's feedback follows then too.
      const bool may_follow = result && followed < limits::acp_follow_ups;
      const bool listens =
          may_follow && (reason == hub::StopReason::end_turn || (reason == hub::StopReason::cancelled && !stopped));
      if (auto undelivered = listens ? std::nullopt : asks_.take_undelivered()) turn.emit(*std::move(undelivered));
      if (!result) co_return fail(why_it_failed(result.error()));
      if (auto usage = usage_of(*result)) turn.emit(*std::move(usage));
      const bool plans_in_words = shared_->settings.flavour == acp::Flavour::iflow && setup_.mode == hub::Mode::plan;
      if (reason == hub::StopReason::end_turn && plans_in_words && !asks_.plan_was_asked()) turn.emit(plan_in_words());
      const auto follow_up = asks_.take_follow_up();
      if (!follow_up || cancelled_) co_return cancelled_ ? hub::StopReason::cancelled : reason;
      PARLANCE_CO_TRY(next, co_await words_of(turn, *follow_up));
      blocks = {acp::text(std::move(next))};
      asks_.turn_begins();
    }
  }

  bool survives_failure() const override { return has_session() && !session_lost_; }

  Task<Result<void>> resume(hub::ReplaySink& sink) override {
    replay_ = &sink;
    auto done = co_await start({}, nullptr);
    updates_.end_turn(hub::ToolEndState::done);
    replay_ = nullptr;
    co_return done;
  }

  void cancel() override {
    cancelled_ = true;
    if (link_.alive()) link_.client().cancel(link_.session());
  }
  Task<Result<void>> set_mode(hub::Mode mode) override {
    if (has_session()) PARLANCE_CO_TRY_DO(held_.check(mode));
    setup_.mode = mode;
    if (!link_.alive() || turn_ == nullptr) co_return Result<void>{};  // the next prompt applies the mode
    co_return co_await link_.apply_mode(mode);
  }
  Task<Result<void>> set_model(std::string model) override {
    setup_.model = model;
    if (!has_session()) co_return Result<void>{};
    applied_.model = model;
    write_settings(turn_);
    co_return co_await link_.apply_model(std::move(model));
  }
  Task<Result<void>> set_think(bool think) override {
    setup_.think = think;
    if (!has_session()) co_return Result<void>{};
    co_return co_await apply_think(think);
  }
  Task<Result<void>> set_option(std::string id, std::string value) override {
    if (!has_session()) co_return Result<void>{};  // stored in the conversation, and applied to the next session
    PARLANCE_CO_TRY_DO(co_await link_.apply_option(std::move(id), std::move(value)));
    report_options();
    co_return Result<void>{};
  }
  Task<void> close() override { co_await link_.close(); }

 private:
  // The turn of incoming events, during its prompt.
  struct Running {
    Running(AcpAgent& a, hub::Turn& turn) : agent(a) {
      agent.cancelled_ = false;
      agent.asks_.turn_begins();
      agent.held_.turn_begins();
      agent.turn_ = &turn;
      agent.changed_.notify_all();
    }
    ~Running() { agent.turn_ = nullptr; }
    AcpAgent& agent;
  };

  bool has_session() const { return link_.alive() && !link_.session().empty(); }

  // ---- start

  // Copies the conversation's settings; keeps the current session's id.
  void take_settings(const hub::SessionSetup& now) {
    hub::AgentSession session = std::move(setup_.agent_session);
    setup_ = now;
    setup_.agent_session = std::move(session);
  }

  // One caller at a time: a prompt waits for the end of a preparation. Otherwise `loading_` would drop the first texts of its turn.
  Task<Result<void>> start(hub::PromptOptions options, hub::Turn* turn) {
    while (starting_) co_await changed_.wait();
    const Starting starting(*this);
    co_return co_await open_session(std::move(options), turn);
  }

  struct Starting {
    explicit Starting(AcpAgent& a) : agent(a) { agent.starting_ = true; }
    ~Starting() {
      agent.starting_ = false;
      agent.changed_.notify_all();
    }
    AcpAgent& agent;
  };

  Task<Result<void>> open_session(hub::PromptOptions options, hub::Turn* turn) {
    write_settings(turn);
    if (has_session() && started_.fits(options, setup_, shared_->settings.flavour)) co_return Result<void>{};
    co_await link_.close();
    const auto opened = co_await link_.open(setup_.folder);
    shared_->learn_start(opened);
    PARLANCE_CO_TRY_DO(opened);
    started_ = {.options = options, .folder = setup_.folder, .plans = setup_.mode == hub::Mode::plan};
    applied_.model.clear();
    applied_.think = false;
    updates_.begin_session();
    if (!setup_.agent_session.empty()) {
      const auto resumed = co_await load_session(options);
      if (!resumed && link_.ended()) co_return fail(*link_.ended());
      if (!resumed) {  // Never without the person's consent: a new session has no earlier messages.
        const auto agreed = co_await ask_for_new_session(shared_->settings.name, resumed.error(), turn);
        if (!agreed) co_await link_.close();  // the next prompt asks again
        PARLANCE_CO_TRY_DO(agreed);
        setup_.agent_session = {};
      }
    }
    if (link_.session().empty()) {
      PARLANCE_CO_TRY_DO(co_await link_.begin_session(setup_, options));
      setup_.agent_session = {.id = link_.session()};
      given_.sink.set_agent_session(link_.session());
    }
    report_options();
    if (auto missing = link_.left_out_servers(); missing && replay_ == nullptr) emit(*std::move(missing));
    if (auto warning = held_.warning(); warning && replay_ == nullptr) emit(*std::move(warning));
    co_return Result<void>{};
  }

  Task<Result<void>> load_session(hub::PromptOptions options) {
    loading_ = true;
    auto done = co_await link_.resume_session(setup_.agent_session.id, setup_, options, replay_ != nullptr);
    loading_ = false;
    co_return done;
  }

  void write_settings(hub::Turn* turn) {
    auto notice = replay_ == nullptr ? shared_->write_settings(setup_) : std::nullopt;
    if (notice && turn != nullptr) turn->emit(*std::move(notice));
    else if (notice) static_cast<void>(given_.sink.emit(*std::move(notice)));
  }

  // Invalid settings of a person become notices and do not stop the prompt; a plan needs its mode.
  Task<Result<void>> take_over() {
    PARLANCE_CO_TRY_DO(held_.check(setup_.mode));
    const auto held = co_await link_.apply_mode(setup_.mode);
    if (!held && setup_.mode == hub::Mode::plan) co_return held;
    note(held);
    if (!setup_.model.empty() && setup_.model != applied_.model) {
      applied_.model = setup_.model;
      note(co_await link_.apply_model(setup_.model));
    }
    if (setup_.think != applied_.think) note(co_await apply_think(setup_.think));
    const std::vector<hub::AgentOption> wanted = setup_.options.value_or(std::vector<hub::AgentOption>{});
    for (const hub::AgentOption& option : link_.choices().as_options()) {
      const std::string value = hub::option_value(wanted, option.id);
      if (!value.empty() && value != option.value) note(co_await link_.apply_option(option.id, value));
    }
    co_return Result<void>{};
  }
  void note(const Result<void>& done) {
    if (done || turn_ == nullptr || !link_.alive()) return;
    turn_->emit(hub::event::Failure{
        .code = "setting", .message = shared_->settings.name + " refused a setting.", .detail = acp::error_text(done.error())});
  }
  Task<Result<void>> apply_think(bool think) {
    applied_.think = think;
    if (shared_->settings.flavour != acp::Flavour::iflow) co_return Result<void>{};  // other agents have an option for it
    PARLANCE_CO_TRY_DO(co_await link_.client().set_think(link_.session(), think));
    co_return Result<void>{};
  }
  void report_options() {
    std::vector<hub::AgentOption> options = link_.choices().as_options();
    shared_->learn(options);
    if (!options.empty() && replay_ == nullptr) given_.sink.set_options(std::move(options));
  }

  // ---- prompt

  Task<Result<std::vector<acp::Content>>> blocks_of(hub::Turn& turn, hub::Prompt prompt) {
    PromptInput input{.text = std::move(prompt.text),
                      .folder = setup_.folder,
                      .context = std::move(prompt.context),
                      .can = link_.prompt_capabilities(),
                      .flavour = shared_->settings.flavour,
                      .file_bytes = shared_->settings.prompt_file_bytes};
    if (prompt.resume)
      input.text = "Go on where you were interrupted" +
                   (prompt.resume->call.tool.empty() ? std::string(".") : ", with " + prompt.resume->ask.title + ".");
    input.text = with_plan_instruction(std::move(input.text));
    PARLANCE_CO_TRY(attachments, co_await attachments_of(turn, prompt.attachments));
    input.attachments = std::move(attachments);
    PromptBlocks made = prompt_blocks(std::move(input));
    for (hub::event::Failure& failure : made.unseen) turn.emit(std::move(failure));
    co_return std::move(made.blocks);
  }

  // An agent without a planning mode gets an instruction as text; iFlow needs both.
  std::string with_plan_instruction(std::string words) const {
    const bool by_itself = shared_->settings.flavour == acp::Flavour::standard && link_.has_plan_mode();
    if (setup_.mode != hub::Mode::plan || by_itself) return words;
    return adapter::in_plan_mode(words, shared_->settings.language);
  }

  Task<Result<std::string>> words_of(hub::Turn& turn, const FollowUp& next) {
    if (next.what == FollowUp::What::reply) co_return with_plan_instruction(next.words);
    setup_.mode = next.mode;
    turn.set_mode(next.mode);
    PARLANCE_CO_TRY_DO(co_await start(started_.options, &turn));  // iFlow: in a connection without plan mode
    PARLANCE_CO_TRY_DO(co_await link_.apply_mode(next.mode));
    co_return adapter::execution_message(shared_->settings.language);
  }

  Error why_it_failed(const Error& error) {
    session_lost_ = is_lost_session(error);
    if (link_.ended()) return *link_.ended();
    return {.code = error.code, .message = acp::error_text(error), .data = error.data};
  }

  // ---- requests of the agent

  Task<void> in_a_turn() {  // a background task's request waits for the next turn
    while (turn_ == nullptr) co_await changed_.wait();
  }
  Task<Result<acp::PermissionReply>> request_permission(acp::RequestPermission asked) override {
    co_await in_a_turn();
    auto reply = co_await asks_.permission(*turn_, std::move(asked));
    setup_.mode = asks_.take_mode().value_or(setup_.mode);
    co_return reply;
  }
  Task<Result<acp::ElicitationReply>> elicit(acp::CreateElicitation asked) override {
    co_await in_a_turn();
    co_return co_await asks_.form(*turn_, std::move(asked));
  }
  void elicitation_complete(const acp::ElicitationComplete&) override {
    emit(hub::event::Notice{.text = shared_->settings.name + " says that the page it asked for is done."});
  }
  Task<Result<acp::iflow::Answers>> questions(acp::iflow::Questions asked) override {
    co_await in_a_turn();
    co_return co_await asks_.questions(*turn_, std::move(asked));
  }
  Task<Result<acp::iflow::PlanDecision>> plan_exit(acp::iflow::PlanExit asked) override {
    co_await in_a_turn();
    co_return co_await asks_.plan_exit(*turn_, std::move(asked));
  }
  const acp::InitializeResult& asker() override { return link_.client().agent(); }

  // ---- updates of the agent

  void on_update(acp::SessionUpdate update) override {
    const bool of_past = is_of_the_past(update.update);
    if (loading_ && of_past) link_.note_history();
    if (loading_ && replay_ == nullptr && of_past) return updates_.note_history(update.update);  // part of the conversation
    // Between turns the conversation cannot show a call, and a late update must not reopen an ended call.
    if (turn_ == nullptr && replay_ == nullptr && is_of_a_call(update.update)) return;
    updates_.update(update.update);
  }
  bool congested() const override { return replay_ != nullptr ? replay_->congested() : given_.sink.congested(); }
  Task<void> wait_writable() override {
    if (replay_ != nullptr) static_cast<void>(co_await replay_->written());
    else static_cast<void>(co_await given_.sink.written());
  }

  void emit(hub::EventBody body) override {
    if (const auto* commands = std::get_if<hub::event::Commands>(&body)) shared_->learn(commands->commands);
    if (replay_ != nullptr) replay_->emit(std::move(body));
    else if (turn_ != nullptr) turn_->emit(std::move(body));
    else static_cast<void>(given_.sink.emit(std::move(body)));
  }
  void user(std::string text) override {
    if (replay_ == nullptr) return;
    updates_.end_turn(hub::ToolEndState::done);
    replay_->user(std::move(text));
  }
  void mode(const std::string& mode) override { lower_to(held_.take(mode, setup_.mode)); }
  void lower_to(hub::Mode mode) {
    if (auto notice = held_.take_notice(); notice && turn_ != nullptr) emit(*std::move(notice));
    if (mode != setup_.mode) given_.sink.set_mode(setup_.mode = mode);
  }
  void options(const std::vector<acp::ConfigOption>& options) override {
    link_.choices().options = options;
    report_options();
    lower_to(held_.take_options(setup_.mode));
  }
  void title(const std::string& title) override {
    if (replay_ != nullptr) replay_->set_title(title);
    else given_.sink.set_title(title);
  }

  std::shared_ptr<AcpShared> shared_;
  hub::SessionSetup setup_;
  hub::AgentHost given_;
  hub::Turn* turn_ = nullptr;
  hub::ReplaySink* replay_ = nullptr;
  bool starting_ = false;  // a caller opens or loads the session
  bool loading_ = false;   // updates repeat the history
  bool cancelled_ = false;
  bool session_lost_ = false;  // the agent refused a prompt because it does not know the session
  Started started_;
  struct {
    std::string model;
    bool think = false;
  } applied_;  // settings of the session
  AcpUpdates updates_{*this};
  AcpAsks asks_;
  Signal changed_;
  AcpLink link_;
  HeldMode held_;
};

}  // namespace

std::unique_ptr<hub::Agent> acp_agent(std::shared_ptr<AcpShared> shared, const hub::SessionSetup& setup, hub::AgentHost host) {
  return std::make_unique<AcpAgent>(std::move(shared), setup, host);
}

}  // namespace parlance::driver

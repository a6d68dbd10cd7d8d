// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/claude/agent_via_claude.h"

#include <optional>

#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/async/worker.h"
#include "parlance/base/log.h"
#include "parlance/codec/json/typed.h"
#include "parlance/driver/claude/asks.h"
#include "parlance/driver/claude/choices.h"
#include "parlance/driver/claude/events.h"
#include "parlance/driver/claude/gate.h"
#include "parlance/driver/claude/kept_sessions.h"
#include "parlance/driver/claude/past.h"
#include "parlance/driver/claude/prompt_content.h"
#include "parlance/driver/claude/relay_end.h"
#include "parlance/driver/claude/shared.h"
#include "parlance/driver/claude/start.h"
#include "parlance/driver/claude/transcript.h"
#include "parlance/driver/claude/turn_end.h"
#include "parlance/driver/claude/usage.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/process/program_words.h"
#include "parlance/protocol/claude/host.h"

namespace parlance::driver {
namespace {

class ClaudeAgent final : public hub::Agent, private claude::HostHandler, private ClaudeEvents::Sink {
 public:
  ClaudeAgent(std::shared_ptr<ClaudeShared> shared, const hub::SessionSetup& setup, hub::AgentHost host)
      : shared_(std::move(shared)),
        loop_(shared_->loop),
        setup_(setup),
        given_(host),
        relay_(shared_->settings.relay),
        changed_(loop_),
        scope_(loop_) {}
  ~ClaudeAgent() override {
    relay_.leave();
    scope_.cancel();
  }

  Task<Result<void>> prepare(hub::PromptOptions options) override {
    while (ended_ && turn_ != nullptr) co_await changed_.wait();  // the running turn restarts the process
    if (host_ && !ended_) co_return co_await initialize_again(std::move(options));
    for (;;) {
      PARLANCE_CO_TRY_DO(co_await start(setup_, options));
      // A parallel prompt restarts the process if a restart helps.
      while (!initialized_ && !(ended_ && turn_ == nullptr)) co_await changed_.wait();
      if (initialized_) co_return *initialized_;
      if (!session_is_lost()) co_return fail(*ended_);
      forget_session();
    }
  }

  Task<Result<hub::StopReason>> prompt(hub::Turn& turn, hub::Prompt prompt) override {
    const Running running(*this, turn);
    prompt.text.insert(0, hub::context_block(prompt.context));
    if (turn.setup().via && setup_.agent_session.empty()) PARLANCE_CO_TRY_DO(co_await add_past(turn, prompt));
    std::string text = std::move(prompt.text);
    if (prompt.resume)
      text = "Go on where you were interrupted" +
             (prompt.resume->call.tool.empty() ? std::string(".") : ", with " + prompt.resume->ask.title + ".");
    PARLANCE_CO_TRY(content, co_await prompt_content(turn, std::move(text), prompt.attachments));
    claude::UserMessage message;
    message.message.content = std::move(content);
    for (;;) {
      PARLANCE_CO_TRY_DO(co_await start(turn.setup(), prompt.options));
      if (std::exchange(session_lost_, false))  // the conversation keeps the messages, but Claude Code has lost them
        turn.emit(hub::event::Failure{.code = "session_lost",
                                      .message = "Claude Code cannot find the earlier session.",
                                      .detail = "Claude Code continues without the earlier messages."});
      co_await take_over(turn.setup());
      if (cancelled_) co_return hub::StopReason::cancelled;
      if (!ended_) {
        // An ended process reports its reason in a moment.
        if (auto sent = host_->send_user(message); !sent && sent.error().code != Errc::disconnected) co_return fail(sent.error());
      }
      while (!result_ && !ended_) co_await changed_.wait();
      if (!session_is_lost()) {
        if (result_) break;
        co_return fail(*ended_);
      }
      forget_session();
    }
    co_await turn.written();
    if (auto usage = usage_.of(*result_)) turn.emit(*std::move(usage));
    co_return end_turn(turn, *result_, cancelled_);
  }

  bool survives_failure() const override { return host_ && !ended_; }
  Task<Result<void>> resume(hub::ReplaySink& sink) override {
    co_return co_await replay_session(shared_->file_worker(), claude_config_folder(shared_->settings.launch), setup_, sink);
  }
  void cancel() override {
    cancelled_ = true;
    stop_turn();
  }
  Task<Result<void>> set_mode(hub::Mode mode) override {
    setup_.mode = mode;
    if (!host_ || ended_) co_return Result<void>{};
    co_return co_await apply_mode(mode);
  }
  Task<Result<void>> set_model(std::string model) override {
    setup_.model = model;
    if (!host_ || ended_) co_return Result<void>{};
    applied_model_ = model;
    co_return co_await host_->set_model(std::move(model));
  }
  Task<Result<void>> set_think(bool think) override {
    setup_.think = think;
    if (!host_ || ended_) co_return Result<void>{};
    co_return co_await apply_thinking(thinking_tokens(setup_));
  }
  // The hub has checked the option and its value.
  Task<Result<void>> set_option(std::string id, std::string value) override {
    std::vector<hub::AgentOption> options =
        hub::options_in_force(claude_options(), setup_.options.value_or(std::vector<hub::AgentOption>{}));
    for (hub::AgentOption& option : options)
      if (option.id == id) option.value = value;
    setup_.options = std::move(options);
    if (!host_ || ended_) co_return Result<void>{};
    co_return co_await apply_thinking(thinking_tokens(setup_));
  }
  // Claude Code saves its session at the end, and runs its SessionEnd hooks.
  Task<void> close() override {
    if (host_ && !ended_) static_cast<void>(co_await host_->stop());
  }

 private:
  // The turn of incoming events, during its prompt.
  struct Running {
    Running(ClaudeAgent& a, hub::Turn& turn) : agent(a) {
      agent.turn_ = &turn;
      agent.result_.reset();
      agent.cancelled_ = false;
      agent.interrupting_ = false;
      agent.events_.turn_begins();
      agent.gate_.turn_begins();
      agent.changed_.notify_all();
    }
    ~Running() {
      agent.turn_ = nullptr;
      agent.changed_.notify_all();
    }
    ClaudeAgent& agent;
  };

  Task<Result<void>> start(hub::SessionSetup setup, hub::PromptOptions options) {
    if (host_ && !ended_ && options == started_with_) co_return Result<void>{};
    if (host_ && !ended_) static_cast<void>(co_await host_->stop());  // a process with other flags resumes the session
    scope_.cancel();
    relay_.leave();
    host_.reset();
    ended_.reset();
    initialized_.reset();
    result_.reset();
    PARLANCE_CO_TRY(made, claude_start(shared_->settings, setup, setup_.agent_session, options));
    made_ = std::move(made);
    const claude::Launch& launch = made_.launch;
    auto spawned = claude::Host::spawn(loop_, launch, *this, {.on_stderr_line = [](BytesView line) {
                                         log(LogLevel::debug, "claude says", {{"line", std::string(line)}});
                                       }});
    if (!spawned && find_program(launch.command.front()).empty()) co_return fail(no_claude(launch.command.front()));
    if (!spawned) co_return std::unexpected(std::move(spawned).error());
    host_ = *std::move(spawned);
    started_with_ = options;
    relay_.enter(*host_, ended_);
    applied_model_ = setup.model;
    applied_mode_ = adapter::claude_run_mode(setup.mode);
    applied_thinking_.reset();
    usage_.process_begins();
    scope_.start(run());
    scope_.start(initialize(std::move(options)));
    co_return Result<void>{};
  }

  Task<void> run() {
    ended_ = co_await host_->run();
    changed_.notify_all();
  }
  Task<void> initialize(hub::PromptOptions options) {
    const auto reply =
        co_await host_->initialize_raw(claude_initialize(shared_->settings, shared_->hooks, options, made_.own_servers));
    if (!reply && reply.error().code == Errc::disconnected) co_return;  // the process's exit is the better error
    initialized_ = keep(reply);
    if (!reply) log(LogLevel::info, "claude refused the initialize request", {{"why", reply.error().message}});
    changed_.notify_all();
  }
  // The process runs already: a repeated or late `initialize` of a host gets Claude Code's own answer.
  Task<Result<void>> initialize_again(hub::PromptOptions options) {
    co_return keep(
        co_await host_->initialize_raw(claude_initialize(shared_->settings, shared_->hooks, options, made_.own_servers)));
  }
  Result<void> keep(const Result<wire::Raw>& reply) {
    if (!reply) return std::unexpected(reply.error());
    relay_.initialized(*reply);
    if (const auto read = json::from_text<claude::Initialized>(reply->json, {.known_utf8 = true})) {
      shared_->learn(*read);
      commands_ = claude_commands(read->commands);
      report_commands();
    }
    return {};
  }
  void stop_turn() {
    if (host_ && !ended_ && !std::exchange(interrupting_, true)) scope_.start(interrupt());
  }
  Task<void> interrupt() { static_cast<void>(co_await host_->interrupt()); }

  // Claude Code deleted the session, or died before its first save. Claude Code reports this on stderr at its end, and since 2.1
  // in an earlier result: the function reacts to the first of both.
  bool session_is_lost() {
    constexpr std::string_view words = "No conversation found";
    if (setup_.agent_session.empty()) return false;
    if (result_ && (result_->num_turns.value_or(0) != 0 || !result_->errors.json.contains(words))) return false;
    if (!result_ && !ended_->message.contains(words)) return false;
    result_.reset();
    return true;
  }

  void forget_session() {
    session_lost_ = true;
    setup_.agent_session = {};
    scope_.cancel();
    relay_.leave();
    host_.reset();
  }

  // Applies changes of a person; errors become notices, and do not stop the prompt.
  Task<void> take_over(hub::SessionSetup setup) {
    setup_.mode = setup.mode;
    if (adapter::claude_run_mode(setup.mode) != applied_mode_) note(co_await apply_mode(setup.mode));
    if (setup.model != applied_model_) note(co_await set_model(setup.model));
    const std::optional<std::int64_t> thinking = thinking_tokens(setup);
    if (thinking != applied_thinking_) note(co_await apply_thinking(thinking));
  }
  void note(const Result<void>& done) {
    if (done || turn_ == nullptr || ended_) return;
    turn_->emit(
        hub::event::Failure{.code = "setting", .message = "Claude Code refused a setting.", .detail = done.error().message});
  }
  Task<Result<void>> apply_mode(hub::Mode mode) {
    const std::string wanted = adapter::claude_run_mode(mode);
    applied_mode_ = wanted;
    PARLANCE_CO_TRY_DO(co_await host_->set_permission_mode(wanted));
    co_return Result<void>{};
  }
  Task<Result<void>> apply_thinking(std::optional<std::int64_t> tokens) {
    applied_thinking_ = tokens;
    co_return co_await host_->set_max_thinking_tokens(tokens);
  }
  // Publishes the commands after a change.
  void report_commands() {
    if (commands_ == reported_commands_) return;
    given_.sink.emit(hub::event::Commands{.commands = commands_});
    reported_commands_ = commands_;
  }

  // ---- requests of the agent

  Task<Result<claude::PermissionResult>> can_use_tool(const claude::CanUseTool& request) override {
    while (turn_ == nullptr) co_await changed_.wait();  // a background task's request waits for the next turn
    co_return co_await relay_.can_use_tool(
        request, [this](const claude::CanUseTool& asked, bool by_hook) { return gate_.can_use_tool(*turn_, asked, by_hook); });
  }
  Task<Result<wire::Raw>> other(std::string subtype, wire::Raw request) override {
    return relay_.other(std::move(subtype), std::move(request));
  }
  Task<Result<wire::Raw>> hook_callback(claude::HookCallback request) override {
    if (relay_.has_hooks() && !ClaudeHooks::has(request.callback_id)) co_return co_await relay_.hook(std::move(request));
    if (ClaudeHooks::is_gate(request.callback_id)) {
      while (turn_ == nullptr) co_await changed_.wait();  // a background task's request, as above
      co_return co_await gate_.judge(*turn_, request);
    }
    co_return co_await shared_->hooks.call(request, setup_.folder);
  }
  Task<Result<claude::McpReply>> mcp_message(claude::McpMessage message) override {
    const auto own = made_.own_servers.find(message.server_name);
    return own != made_.own_servers.end() ? own->second->answer(std::move(message)) : relay_.mcp_message(std::move(message));
  }

  // ---- output of the agent

  void on_line(const claude::StreamLine& line) override {
    const bool of_no_turn =
        turn_ == nullptr && line.type == "result";  // the result of a missing session: irrelevant for the next turn
    if (!of_no_turn) relay_.line(line);
    events_.line(line);
  }
  // The line's content is lost. If the line may have been the end of the turn, the function ends the turn.
  void on_lost_line(const Error& why, BytesView head) override {
    if (why.data.empty() || turn_ == nullptr || result_) return;  // output outside the protocol: the log has reported it
    if (turn_continues_after(head)) {
      turn_->emit(hub::event::Failure{.code = "line_lost",
                                      .message = "Claude Code wrote a line over the size limit: " + why.message + ".",
                                      .detail = "The content of this line is missing from the conversation."});
      return;
    }
    ended_ = Error{.code = Errc::failed,
                   .message = "Claude Code wrote a line over the size limit, possibly the end of the turn: " + why.message};
    changed_.notify_all();
  }
  bool congested() const override { return given_.sink.congested() || relay_.host_is_slow(); }
  Task<void> wait_writable() override {
    static_cast<void>(co_await given_.sink.written());
    co_await relay_.until_the_host_reads();
  }
  void emit(hub::EventBody body) override {
    if (turn_ != nullptr && !result_) turn_->emit(std::move(body));
    else if (stands_alone(body)) given_.sink.emit(std::move(body));
  }
  void session(std::string_view id) override {
    relay_.session_began();
    setup_.agent_session = {.id = std::string(id)};
    given_.sink.set_agent_session(std::string(id));
  }
  void permission_mode(std::string_view mode) override {
    if (mode == applied_mode_) return;
    applied_mode_ = mode;  // a mode other than the hub's: take_over() resets it, and until then the gate asks
    const hub::Mode now = adapter::lowered_mode(mode, setup_.mode);
    if (now != std::exchange(setup_.mode, now)) given_.sink.set_mode(now);
  }
  void ran_unjudged(const std::string& tool) override {
    if (turn_ == nullptr || relay_.has_host()) return;
    turn_->emit(ran_unasked(tool));
    stop_turn();
  }
  void answered(const json::Value& message) override { usage_.answered(message); }
  void result(claude::TurnResult result) override {
    if (turn_ == nullptr || result_) return;
    result_ = std::move(result);
    changed_.notify_all();
  }

  void mode_by_plan(hub::Mode mode) {
    setup_.mode = mode;
    applied_mode_ = adapter::claude_run_mode(mode);
  }
  ClaudeGate::Settings gate_settings() {
    return {.has_host = relay_.has_host(), .stop = [this] { stop_turn(); }};
  }

  std::shared_ptr<ClaudeShared> shared_;
  Loop& loop_;
  hub::SessionSetup setup_;
  hub::AgentHost given_;
  RelayEnd relay_;
  hub::Turn* turn_ = nullptr;
  ClaudeEvents events_{*this};
  ClaudeAsks asks_{events_, [this](hub::Mode mode) { mode_by_plan(mode); }, claude_home(shared_->settings.launch)};
  ClaudeGate gate_{events_, asks_, shared_->hooks, gate_settings()};
  std::optional<claude::TurnResult> result_;
  std::optional<Error> ended_;
  std::optional<Result<void>> initialized_;  // result of this process's `initialize`
  bool session_lost_ = false;                // … and not reported yet
  hub::PromptOptions started_with_;
  std::string applied_model_;
  std::string applied_mode_;  // Claude Code's name of the mode
  std::optional<std::int64_t> applied_thinking_;
  bool cancelled_ = false;
  bool interrupting_ = false;
  ClaudeUsage usage_;
  std::vector<hub::SlashCommand> commands_;
  std::vector<hub::SlashCommand> reported_commands_;
  ClaudeStart made_;  // start parameters of the process, in use during its life
  Signal changed_;
  std::unique_ptr<claude::Host> host_;
  Scope scope_;
};

class ClaudeProvider final : public hub::AgentProvider {
 public:
  ClaudeProvider(Loop& loop, ClaudeAgentSettings settings) : shared_(std::make_shared<ClaudeShared>(loop, std::move(settings))) {}
  hub::AgentInfo info() const override { return shared_->info(); }
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::SessionSetup setup, hub::AgentHost host) override {
    co_return std::make_unique<ClaudeAgent>(shared_, setup, host);
  }
  Task<Result<std::vector<hub::KeptSession>>> sessions(std::string folder) override {
    return claude_kept_sessions(shared_->file_worker(), claude_config_folder(shared_->settings.launch), std::move(folder));
  }

  Task<void> recheck() override {
    shared_->recheck();
    co_return;
  }

 private:
  std::shared_ptr<ClaudeShared> shared_;
};

}  // namespace

std::unique_ptr<hub::AgentProvider> agent_via_claude(Loop& loop, ClaudeAgentSettings settings) {
  return std::make_unique<ClaudeProvider>(loop, std::move(settings));
}

}  // namespace parlance::driver

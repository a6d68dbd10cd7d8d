#include "service/agent_via_claude.h"

#include <algorithm>
#include <optional>

#include "async/channel.h"
#include "async/scope.h"
#include "async/worker.h"
#include "base/log.h"
#include "codec/json/typed.h"
#include "hub/native_session.h"
#include "protocol/claude/host.h"
#include "service/claude_asks.h"
#include "service/claude_content.h"
#include "service/claude_events.h"
#include "service/claude_mcp_servers.h"
#include "service/claude_past.h"
#include "service/private_file.h"
#include "service/program_words.h"

namespace parlance::service {
namespace {

constexpr std::string_view strict_servers = "--strict-mcp-config";

// What all conversations of the provider share.
struct Shared {
  Shared(Loop& l, ClaudeAgentSettings s) : loop(l), settings(std::move(s)), hooks(l, settings.hooks) {}
  hub::AgentInfo info() const {
    using hub::Mode;
    return {.id = settings.id,
            .name = settings.name,
            .state = hub::Health::ready,
            .detail = settings.launch.command.front(),
            .modes = {Mode::default_, Mode::auto_edit, Mode::plan, Mode::smart, Mode::yolo},
            .models = settings.models};
  }
  void learn(const std::vector<claude::ModelInfo>& models) {
    std::vector<std::string> names;
    for (const claude::ModelInfo& model : models) names.push_back(model.value);
    if (names.empty() || names == settings.models) return;
    settings.models = std::move(names);
    if (settings.changed) settings.changed(info());
  }
  Loop& loop;
  ClaudeAgentSettings settings;
  ClaudeHooks hooks;
};

hub::StopReason stop_of(const claude::TurnResult& result) {
  if (result.subtype == "error_max_turns") return hub::StopReason::max_turns;
  if (result.stop_reason == "max_tokens") return hub::StopReason::max_tokens;
  if (result.stop_reason == "refusal") return hub::StopReason::refusal;
  return hub::StopReason::end_turn;
}

class ClaudeAgent final : public hub::Agent, private claude::HostHandler, private ClaudeEvents::Sink {
 public:
  ClaudeAgent(std::shared_ptr<Shared> shared, const hub::Conversation& conversation)
      : shared_(std::move(shared)), loop_(shared_->loop), conversation_(conversation), changed_(loop_), scope_(loop_) {}
  ~ClaudeAgent() override {
    leave_relay();
    scope_.cancel();
  }

  Task<Result<void>> prepare(hub::PromptOptions options) override {
    while (ended_ && turn_ != nullptr) co_await changed_.wait();  // that turn sees to it
    if (host_ && !ended_) co_return co_await initialize_again(std::move(options));
    for (;;) {
      PARLANCE_CO_TRY_DO(co_await start(conversation_, options));
      // A prompt that runs meanwhile starts it again where that helps.
      while (!initialized_ && !(ended_ && turn_ == nullptr)) co_await changed_.wait();
      if (initialized_) co_return *initialized_;
      if (!session_is_lost()) co_return fail(*ended_);
      forget_session();
    }
  }

  Task<Result<hub::StopReason>> prompt(hub::Turn& turn, hub::Prompt prompt) override {
    const Running running(*this, turn);
    if (turn.conversation().via && conversation_.native_session.empty()) PARLANCE_CO_TRY_DO(co_await add_past(turn, prompt));
    std::string text = std::move(prompt.text);
    if (prompt.resume)
      text = "Go on where you were interrupted" +
             (prompt.resume->call.tool.empty() ? std::string(".") : ", with " + prompt.resume->ask.title + ".");
    PARLANCE_CO_TRY(content, co_await content_of(turn, std::move(text), prompt.attachments));
    claude::UserMessage message;
    message.message.content = std::move(content);
    for (;;) {
      PARLANCE_CO_TRY_DO(co_await start(turn.conversation(), prompt.options));
      if (std::exchange(session_lost_, false))  // what was said is still in the conversation, but Claude Code does not know it
        turn.emit(hub::event::Failure{.code = "session_lost",
                                      .message = "Claude Code does not find the earlier session any more.",
                                      .detail = "It goes on without knowing what was said before."});
      co_await take_over(turn.conversation());
      if (cancelled_) co_return hub::StopReason::cancelled;
      if (!ended_) {
        // One that is gone already says why in a moment.
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
    co_return finish(turn, *result_);
  }

  void cancel() override {
    cancelled_ = true;
    if (!host_ || ended_ || interrupting_) return;
    interrupting_ = true;
    scope_.start(interrupt());
  }
  Task<Result<void>> set_mode(hub::Mode mode) override {
    conversation_.mode = mode;
    if (!host_ || ended_) co_return Result<void>{};
    co_return co_await apply_mode(mode);
  }
  Task<Result<void>> set_model(std::string model) override {
    conversation_.model = model;
    if (!host_ || ended_) co_return Result<void>{};
    applied_model_ = model;
    co_return co_await host_->set_model(std::move(model));
  }
  Task<Result<void>> set_think(bool think) override {
    conversation_.think = think;
    if (!host_ || ended_) co_return Result<void>{};
    co_return co_await apply_think(think);
  }
  // It writes its session down as it ends, and runs its SessionEnd hooks.
  Task<void> close() override {
    if (host_ && !ended_) static_cast<void>(co_await host_->stop());
  }

 private:
  // What there is no block for, Claude Code and the person are told of in words.
  static Task<Result<wire::Raw>> content_of(hub::Turn& turn, std::string text, std::vector<hub::AttachmentInfo> attached) {
    ClaudeContent content{.text = std::move(text)};
    for (const hub::AttachmentInfo& about : attached) {
      PARLANCE_CO_TRY(one, co_await turn.attachment(about.id));
      content.attachments.push_back(std::move(one));
    }
    std::vector<hub::AttachmentInfo> unseen;
    wire::Raw raw = write_claude_content(content, unseen);
    for (const hub::AttachmentInfo& one : unseen)
      turn.emit(hub::event::Failure{.code = "not_shown",
                                    .message = "Claude Code cannot be shown what is of the type " + one.media_type + ".",
                                    .detail = "It was told that there was something that it cannot see."});
    co_return raw;
  }

  // The turn that events belong to, for as long as its prompt runs.
  struct Running {
    Running(ClaudeAgent& a, hub::Turn& turn) : agent(a) {
      agent.turn_ = &turn;
      agent.result_.reset();
      agent.cancelled_ = false;
      agent.interrupting_ = false;
      agent.events_.turn_begins();
      agent.changed_.notify_all();
    }
    ~Running() {
      agent.turn_ = nullptr;
      agent.changed_.notify_all();
    }
    ClaudeAgent& agent;
  };

  Task<Result<void>> start(hub::Conversation conversation, hub::PromptOptions options) {
    if (host_ && !ended_ && options == started_with_) co_return Result<void>{};
    if (host_ && !ended_) static_cast<void>(co_await host_->stop());  // the session goes on in a process with other flags
    scope_.cancel();
    leave_relay();
    host_.reset();
    ended_.reset();
    initialized_.reset();
    result_.reset();
    claude::Launch launch = shared_->settings.launch;
    launch.folder = conversation.folder;
    launch.model = conversation.model == "default" ? "" : conversation.model;
    launch.resume = conversation_.native_session;
    if (launch.resume.starts_with(hub::forked_session)) {
      launch.resume.erase(0, hub::forked_session.size());
      launch.fork_session = true;
    }
    const ClaudeRelay* const told = shared_->settings.relay;
    const bool strict = told != nullptr && std::ranges::find(told->flags, strict_servers) != told->flags.end();
    if (shared_->settings.mcp_servers && !strict)
      launch.mcp_config = joined_mcp_config(launch.mcp_config, shared_->settings.mcp_servers());
    if (const ClaudeRelay* relay = shared_->settings.relay) {
      if (!launch.resume.empty()) launch.resume_at = relay->resume_at;
      launch.mcp_config = joined_mcp_config(launch.mcp_config, relay->mcp_config);
      launch.more.insert(launch.more.end(), relay->flags.begin(), relay->flags.end());
    }
    if (!launch.mcp_config.empty()) {  // tokens are in it, and every user of the machine may read a command line
      PARLANCE_CO_TRY(file, PrivateFile::make("parlance-mcp-", launch.mcp_config));
      launch.mcp_config = file->path();
      mcp_config_ = std::move(file);
    }
    if (options.most_rounds) launch.max_turns = static_cast<int>(*options.most_rounds);
    // What runs on after a turn could be told to nobody: 2.1.329 lets sub-agents do so unless it is told not to.
    launch.environment.emplace_back("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1");
    launch.allow_bypass = false;  // the hub's mode `yolo` answers in its place
    if (const std::string mode = claude_mode(conversation.mode); mode != "default") launch.mode = mode;
    auto spawned = claude::Host::spawn(loop_, launch, *this, {.on_stderr_line = [](BytesView line) {
                                         log(LogLevel::debug, "claude says", {{"line", std::string(line)}});
                                       }});
    if (!spawned && find_program(launch.command.front()).empty()) co_return fail(no_claude(launch.command.front()));
    if (!spawned) co_return std::unexpected(std::move(spawned).error());
    host_ = *std::move(spawned);
    started_with_ = options;
    enter_relay();
    applied_model_ = conversation.model;
    applied_mode_ = claude_mode(conversation.mode);
    applied_think_ = false;
    cost_ = 0;
    scope_.start(run());
    scope_.start(initialize(std::move(options)));
    co_return Result<void>{};
  }

  Task<void> run() {
    ended_ = co_await host_->run();
    changed_.notify_all();
  }
  // What a host asks for goes as it came, with what is ours put in.
  wire::Raw initialize_with(const hub::PromptOptions& options) const {
    const ClaudeRelay* const relay = shared_->settings.relay;
    claude::Initialize what;
    // A list, as the SDK sends it; the oldest (2.0.76) took a text. One empty text: nothing but what Claude Code cannot do without.
    if (options.system) what.system_prompt.json = "[" + json::to_text(json::Value(*options.system)) + "]";
    what.append_system_prompt = options.append_system;
    // Each prompt of the hub has its own. 2.1.329 would go on with those of the first; what a host wants of it is the host's to say.
    if (relay == nullptr && (options.system || options.append_system)) what.system_prompt_snapshot = false;
    shared_->hooks.offer(what);
    std::string ours = json::to_text(what);
    if (relay == nullptr || relay->initialize.json.empty()) return {std::move(ours)};
    return {json::to_text(joined(json::parse_or_null(relay->initialize.json), json::parse_or_null(ours)))};
  }
  Task<void> initialize(hub::PromptOptions options) {
    const auto told = co_await host_->initialize_raw(initialize_with(options));
    if (!told && told.error().code == Errc::disconnected) co_return;  // how it ended says more
    initialized_ = keep(told);
    if (!told) log(LogLevel::info, "claude did not take initialize", {{"why", told.error().message}});
    changed_.notify_all();
  }
  // It runs already: a host that asks a second time, or after its first prompt, hears what Claude Code says to that.
  Task<Result<void>> initialize_again(hub::PromptOptions options) {
    co_return keep(co_await host_->initialize_raw(initialize_with(options)));
  }
  Result<void> keep(const Result<wire::Raw>& told) {
    if (!told) return std::unexpected(told.error());
    if (ClaudeRelay* const relay = shared_->settings.relay) relay->initialized = *told;
    if (const auto read = json::from_text<claude::Initialized>(told->json, {.known_utf8 = true})) shared_->learn(read->models);
    return {};
  }
  Task<void> interrupt() { static_cast<void>(co_await host_->interrupt()); }

  // A session that Claude Code has thrown away, or was killed before it had written it down. It says so on stderr as it ends, and
  // since 2.1 in a result before that: whichever of the two is here first.
  bool session_is_lost() {
    constexpr std::string_view told = "No conversation found";
    if (conversation_.native_session.empty()) return false;
    if (result_ && (result_->num_turns.value_or(0) != 0 || result_->errors.json.find(told) == std::string::npos)) return false;
    if (!result_ && ended_->message.find(told) == std::string::npos) return false;
    result_.reset();
    return true;
  }

  void forget_session() {
    session_lost_ = true;
    conversation_.native_session.clear();
    scope_.cancel();
    leave_relay();
    host_.reset();
  }

  // What a person changed since; mistakes are told, and do not stop the prompt.
  Task<void> take_over(hub::Conversation conversation) {
    conversation_.mode = conversation.mode;
    if (claude_mode(conversation.mode) != applied_mode_) note(co_await apply_mode(conversation.mode));
    if (conversation.model != applied_model_) note(co_await set_model(conversation.model));
    if (conversation.think != applied_think_) note(co_await apply_think(conversation.think));
  }
  void note(const Result<void>& done) {
    if (done || turn_ == nullptr || ended_) return;
    turn_->emit(
        hub::event::Failure{.code = "setting", .message = "Claude Code did not take a setting.", .detail = done.error().message});
  }
  Task<Result<void>> apply_mode(hub::Mode mode) {
    const std::string wanted = claude_mode(mode);
    applied_mode_ = wanted;
    PARLANCE_CO_TRY_DO(co_await host_->set_permission_mode(wanted));
    co_return Result<void>{};
  }
  Task<Result<void>> apply_think(bool think) {
    applied_think_ = think;
    co_return co_await host_->set_max_thinking_tokens(think ? std::optional(limits::claude_thinking_tokens) : std::nullopt);
  }

  hub::StopReason finish(hub::Turn& turn, const claude::TurnResult& result) {
    if (result.usage) {
      hub::event::Usage usage{
          .input_tokens = result.usage->input_tokens + result.usage->cache_creation + result.usage->cache_read,
          .output_tokens = result.usage->output_tokens};
      if (result.total_cost_usd) {  // of the process so far
        usage.cost = std::max(0.0, *result.total_cost_usd - cost_);
        cost_ = *result.total_cost_usd;
      }
      turn.emit(usage);
    }
    if (cancelled_ || turn.cancelled()) return hub::StopReason::cancelled;
    if (result.succeeded()) return stop_of(result);
    if (result.subtype == "error_max_turns") {
      turn.emit(
          hub::event::Failure{.code = "max_turns", .message = "Claude Code reached its limit of turns.", .retryable = true});
      return hub::StopReason::max_turns;
    }
    std::string detail = result.result.value_or("");
    const json::Value errors = json::parse_or_null(result.errors.json);
    if (detail.empty() && errors.array() != nullptr)
      for (const json::Value& error : *errors.array())
        if (error.text() != nullptr) detail += (detail.empty() ? "" : "\n") + *error.text();
    const int status = static_cast<int>(result.api_error_status.value_or(0));
    turn.emit(hub::event::Failure{.code = result.subtype == "success" ? "api_error" : result.subtype,
                                  .message = detail.empty() ? "Claude Code ended the turn: " + result.subtype : detail,
                                  .detail = result.terminal_reason.value_or(""),
                                  .retryable = status == 0 || status == 429 || status >= 500});
    return hub::StopReason::error;
  }

  // ---- what the agent asks

  Task<Result<claude::PermissionResult>> can_use_tool(const claude::CanUseTool& request) override {
    while (turn_ == nullptr) co_await changed_.wait();  // of a task in the background: it waits for the next turn
    ClaudeRelay* const relay = shared_->settings.relay;
    if (relay == nullptr || !request.tool_use_id) co_return co_await asks_.ask(*turn_, request, false);
    const std::string call = *request.tool_use_id;
    const ClaudeRelay::Asking asking(*relay, call, request);
    co_return asking.as_the_host_said(co_await asks_.ask(*turn_, request, relay->asked_by_hook.contains(call)));
  }
  Task<Result<wire::Raw>> other(std::string subtype, wire::Raw request) override {
    const ClaudeRelay* const relay = shared_->settings.relay;
    if (relay == nullptr || !relay->ask) co_return fail(claude::unsupported_request(subtype));
    co_return co_await relay->ask(std::move(subtype), std::move(request));
  }
  Task<Result<wire::Raw>> hook_callback(claude::HookCallback request) override {
    if (const ClaudeRelay* relay = shared_->settings.relay;
        relay != nullptr && relay->hook && !ClaudeHooks::has(request.callback_id))
      co_return co_await relay->hook(std::move(request));
    co_return co_await shared_->hooks.call(request, conversation_.folder);
  }
  Task<Result<claude::McpReply>> mcp_message(claude::McpMessage message) override {
    ClaudeRelay* const relay = shared_->settings.relay;
    if (relay == nullptr || !relay->to_host) co_return fail(Errc::not_found, "SDK MCP server not found: " + message.server_name);
    co_return co_await relay->to_host(std::move(message));
  }

  // ---- what a face's host and Claude Code have to say to each other

  void enter_relay() {
    ClaudeRelay* const relay = shared_->settings.relay;
    if (relay == nullptr) return;
    relay->agent = this;
    relay->to_agent = [this](claude::McpMessage message) { return relayed(std::move(message)); };
    relay->status = [this] { return mcp_status(); };
    relay->request = [this](std::string subtype, wire::Raw what) { return requested(std::move(subtype), std::move(what)); };
  }
  void leave_relay() {
    ClaudeRelay* const relay = shared_->settings.relay;
    if (relay == nullptr || relay->agent != this) return;
    relay->agent = nullptr;
    relay->to_agent = {};
    relay->status = {};
    relay->request = {};
  }
  Task<Result<claude::McpReply>> relayed(claude::McpMessage message) {
    if (ended_) co_return fail(Errc::disconnected, "Claude Code has ended");
    co_return co_await host_->mcp_message(std::move(message));
  }
  Task<Result<wire::Raw>> requested(std::string subtype, wire::Raw what) {
    if (ended_) co_return fail(Errc::disconnected, "Claude Code has ended");
    json::Value members = json::parse_or_null(what.json);
    if (json::Object* const object = members.object())  // the envelope says it once more
      std::erase_if(object->members, [](const auto& member) { return member.first == "subtype"; });
    co_return co_await host_->request(std::move(subtype), {json::to_text(members)});
  }
  Task<Result<claude::McpStatus>> mcp_status() {
    if (ended_) co_return fail(Errc::disconnected, "Claude Code has ended");
    co_return co_await host_->mcp_status();
  }

  // ---- what it tells

  void on_line(const claude::StreamLine& line) override {
    const bool of_no_turn =
        turn_ == nullptr && line.type == "result";  // of a session that was not found: of no use to the next turn
    if (const ClaudeRelay* relay = shared_->settings.relay; relay != nullptr && relay->line && !of_no_turn) relay->line(line);
    events_.line(line);
  }
  // What was in it nobody will know. Where it may have ended the turn, nothing more would come: then that is how the turn ends.
  void on_lost_line(const Error& why, BytesView head) override {
    claude::log_lost_line(why, head);
    if (why.data.empty() || turn_ == nullptr || result_) return;  // no protocol: a word of a program, of which the log has told
    if (turn_goes_on_after(head)) {
      turn_->emit(hub::event::Failure{.code = "line_lost",
                                      .message = "Claude Code wrote a line that is too long to be read: " + why.message + ".",
                                      .detail = "What it said or did in it is missing here."});
      return;
    }
    ended_ = Error{
        .code = Errc::failed,
        .message = "Claude Code wrote a line that is too long to be read, and that may have ended the turn: " + why.message};
    changed_.notify_all();
  }
  bool congested() const override {
    const ClaudeRelay* const relay = shared_->settings.relay;
    return (turn_ != nullptr && turn_->congested()) || (relay != nullptr && relay->host_is_slow);
  }
  Task<void> room() override {
    if (turn_ != nullptr) static_cast<void>(co_await turn_->written());
    if (ClaudeRelay* const relay = shared_->settings.relay)
      while (relay->host_is_slow) co_await relay->host_reads.wait();
  }
  void emit(hub::EventBody body) override {
    if (turn_ != nullptr && !result_) turn_->emit(std::move(body));
  }
  void session(std::string_view id) override {
    if (ClaudeRelay* const relay = shared_->settings.relay)
      relay->resume_at.clear();  // once: what follows is of the session again
    conversation_.native_session = id;
    if (turn_ != nullptr) turn_->set_native_session(std::string(id));
  }
  void permission_mode(std::string_view mode) override {
    if (turn_ == nullptr || mode == applied_mode_) return;
    applied_mode_ = mode;
    conversation_.mode = hub_mode(mode, conversation_.mode);
    turn_->set_mode(conversation_.mode);
  }
  void result(claude::TurnResult result) override {
    if (turn_ == nullptr || result_) return;
    result_ = std::move(result);
    changed_.notify_all();
  }

  std::shared_ptr<Shared> shared_;
  Loop& loop_;
  hub::Conversation conversation_;
  hub::Turn* turn_ = nullptr;
  ClaudeEvents events_{*this};
  ClaudeAsks asks_{events_, [this](hub::Mode mode) { applied_mode_ = claude_mode(mode); }};
  std::optional<claude::TurnResult> result_;
  std::optional<Error> ended_;
  std::optional<Result<void>> initialized_;  // by this process
  bool session_lost_ = false;                // … which is still to be told
  hub::PromptOptions started_with_;
  std::string applied_model_;
  std::string applied_mode_;  // as Claude Code calls it
  bool applied_think_ = false;
  bool cancelled_ = false;
  bool interrupting_ = false;
  double cost_ = 0;
  std::unique_ptr<PrivateFile> mcp_config_;  // while its process may read it
  Signal changed_;
  std::unique_ptr<claude::Host> host_;
  Scope scope_;
};

class ClaudeProvider final : public hub::AgentProvider {
 public:
  ClaudeProvider(Loop& loop, ClaudeAgentSettings settings) : shared_(std::make_shared<Shared>(loop, std::move(settings))) {}
  hub::AgentInfo info() const override { return shared_->info(); }
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::Conversation conversation) override {
    co_return std::make_unique<ClaudeAgent>(shared_, conversation);
  }

 private:
  std::shared_ptr<Shared> shared_;
};

}  // namespace

Error no_claude(const std::string& program) {
  return {.code = Errc::not_found,
          .message = "no program \"" + program + "\": install Claude Code, or say where it is with --claude-command"};
}

std::unique_ptr<hub::AgentProvider> agent_via_claude(Loop& loop, ClaudeAgentSettings settings) {
  return std::make_unique<ClaudeProvider>(loop, std::move(settings));
}

}  // namespace parlance::service

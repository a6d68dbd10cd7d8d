#include "service/hub_over_claude.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/secret.h"
#include "codec/json/typed.h"
#include "codec/json/value.h"
#include "hub/follower.h"
#include "protocol/claude/agent.h"
#include "protocol/claude/host.h"
#include "service/claude_calls.h"
#include "service/claude_content.h"
#include "service/claude_host_hooks.h"
#include "service/claude_host_questions.h"
#include "service/claude_host_tools.h"
#include "service/claude_lines.h"
#include "service/claude_mcp_servers.h"
#include "service/claude_only.h"
#include "service/claude_outbox.h"
#include "service/claude_prompts.h"
#include "service/claude_rules.h"
#include "service/claude_tool_names.h"
#include "service/claude_tools.h"
#include "service/claude_turn.h"
#include "service/relayed_claude.h"

namespace parlance::service {
namespace {

class ClaudeFace final : private claude::AgentHandler {
 public:
  ClaudeFace(Loop& loop, hub::Hub& hub, std::unique_ptr<Frames> frames, ClaudeFaceSettings settings)
      : loop_(loop),
        hub_(hub),
        settings_(std::move(settings)),
        mode_(settings_.permission_mode),
        changed_(loop),
        agent_(loop, std::move(frames), *this),
        outbox_(loop, agent_),
        lines_([this](std::string line) { outbox_.send(std::move(line)); }, settings_.session_id, settings_.conversation,
               settings_.partial_messages),
        servers_(loop, agent_, settings_.tools),
        relayed_(loop, settings_.relay, agent_,
                 {.session_id = settings_.session_id,
                  .partial_messages = settings_.partial_messages,
                  .permission_mode = [this] { return permission_mode(); }}),
        hooks_(loop, agent_),
        host_tools_(
            loop, hooks_, rules_, [this](std::string event) { return hook_input(std::move(event)); },
            settings_.relay == nullptr ? settings_.port : nullptr, [this] { lines_.end_message("tool_use"); }),
        questions_(loop, hub, agent_, hooks_, host_tools_, rules_,
                   {.conversation = settings_.conversation,
                    .asks = [this] { return settings_.asks && mode_ != "dontAsk"; },
                    .input_of = [this](const std::string& call) { return input_of(call); },
                    .hook_input = [this](std::string event) { return hook_input(std::move(event)); },
                    .update = [this](const claude::PermissionUpdate& update) { take_update(update); },
                    .relay = settings_.relay}),
        scope_(loop) {
    rules_.allow(settings_.allowed_tools);
    rules_.deny(settings_.disallowed_tools);
  }
  ~ClaudeFace() { scope_.cancel(); }

  Task<ClaudeServed> serve() {
    const hub::Conversation* conversation = hub_.find(settings_.conversation);
    follower_.emplace(hub_, settings_.conversation, conversation != nullptr ? conversation->last_seq : 0);
    if (!relayed_.answers()) servers_.add_of_host(settings_.servers);
    scope_.start(follow());
    scope_.start(feed());
    co_return ClaudeServed{.end = co_await agent_.run(), .last_failed = last_failed_};
  }

 private:
  // ---- what the host asks

  Task<Result<wire::Raw>> initialize(claude::Initialize request) override {
    if (!relayed_.answers()) PARLANCE_CO_TRY_DO(take_servers(request));
    take_prompts(request);
    if (request.disallowed_tools) rules_.deny(*request.disallowed_tools);
    if (relayed_.answers()) {
      PARLANCE_CO_TRY_DO(relayed_.initialize(request));
      PARLANCE_CO_TRY_DO(co_await hub_.prepare(settings_.conversation, settings_.options));
      co_return relayed_.initialized(request);
    }
    PARLANCE_CO_TRY_DO(without_claude(request, settings_.output));
    hooks_.set(std::move(request.hooks.value));
    if (request.sdk_mcp_servers) servers_.add_of_host(*request.sdk_mcp_servers);
    claude::Initialized reply{.commands = {"[]"},
                              .agents = {"[]"},
                              .output_style = "default",
                              .output_styles = {"default"},
                              .account = {"{}"},
                              .hook_on_failure = true};
    // The SDK ends the session unless it is told so.
    if (!request.mcp_servers.json.empty()) reply.mcp_servers_applied = true;
    if (request.disallowed_tools) reply.disallowed_tools_applied = true;
    for (const hub::AgentInfo& agent : hub_.snapshot().agents)
      for (const std::string& model : agent.models)
        reply.models.push_back({.value = model, .display_name = claude::text_content(model)});
    co_return wire::Raw{json::to_text(reply)};
  }
  Result<void> take_servers(const claude::Initialize& request) {
    const std::string& named = request.mcp_servers.json;
    if (named.empty() || named == "null") return {};
    PARLANCE_TRY(config, read_claude_mcp_config(R"({"mcpServers":)" + named + "}"));
    servers_.add_of_host(config.of_host);
    if (settings_.tools != nullptr)
      for (McpServerSettings& server : config.started) settings_.tools->add(std::move(server));
    return {};
  }
  // System prompts: what stands here goes before the flags. The preset of Claude Code is the absence of a systemPrompt.
  void take_prompts(const claude::Initialize& request) {
    if (request.append_system_prompt) settings_.options.append_system = request.append_system_prompt;
    if (auto system = claude_system_prompt(request.system_prompt)) settings_.options.system = std::move(system);
  }
  Task<Result<claude::ModeReply>> set_permission_mode(claude::SetPermissionMode request) override {
    if (!claude::is_permission_mode(request.mode))
      co_return fail(Errc::invalid_params, "Invalid permission mode: " + request.mode);
    if (request.mode == "auto") co_return fail(no_auto_mode());
    PARLANCE_CO_TRY_DO(co_await change_mode(request.mode));
    co_return claude::ModeReply{.mode = request.mode};
  }
  Task<Result<void>> change_mode(std::string wanted) {
    if (wanted == "bypassPermissions" && !settings_.may_bypass) co_return fail(no_bypass());
    const hub::Mode mode = wanted == "default" ? hub::Mode::default_ : hub_mode(wanted, hub_.find(settings_.conversation)->mode);
    PARLANCE_CO_TRY_DO(co_await hub_.set(settings_.conversation, {.mode = mode}));
    mode_ = wanted;
    json::Object line = lines_.line("system");
    line.set("subtype", "status");
    line.set("status", nullptr);
    line.set("permissionMode", wanted);
    lines_.send(std::move(line));
    co_return Result<void>{};
  }
  // What came with an answer of the host.
  void take_update(const claude::PermissionUpdate& update) {
    rules_.update(update);
    if (update.type == "addDirectories" && settings_.add_folder)
      for (const std::string& folder : update.directories) settings_.add_folder(folder);
    const auto change = [](ClaudeFace& face, std::string mode) -> Task<void> {
      static_cast<void>(co_await face.change_mode(std::move(mode)));
    };
    if (update.type == "setMode" && update.mode && claude::is_permission_mode(*update.mode) && *update.mode != "auto")
      scope_.start(change(*this, *update.mode));
  }
  Task<Result<wire::Raw>> set_model(claude::SetModel request) override {
    const std::string model = request.model.value == "default" ? "" : request.model.value;
    PARLANCE_CO_TRY_DO(co_await hub_.set(settings_.conversation, {.model = model}));
    co_return wire::Raw{"{}"};
  }
  Task<Result<wire::Raw>> set_max_thinking_tokens(claude::SetMaxThinkingTokens request) override {
    PARLANCE_CO_TRY_DO(co_await hub_.set(settings_.conversation, {.think = request.tokens.value > 0}));
    co_return wire::Raw{"{}"};
  }
  Task<Result<claude::Interrupted>> interrupt() override {
    PARLANCE_CO_TRY_DO(hub_.stop(settings_.conversation));
    co_return claude::Interrupted{.still_queued = std::vector<std::string>{}};
  }
  Task<Result<claude::McpStatus>> mcp_status() override {
    if (relayed_.answers()) co_return co_await relayed_.mcp_status();
    co_return claude::McpStatus{server_states()};
  }
  Task<Result<claude::McpReply>> mcp_message(claude::McpMessage message) override {
    if (relayed_.answers()) co_return co_await relayed_.mcp_message(std::move(message));
    PARLANCE_CO_TRY_DO(servers_.receive(message));
    co_return claude::McpReply{};
  }
  Task<Result<wire::Raw>> other(std::string subtype, wire::Raw request) override {
    if (!relayed_.answers()) co_return fail(claude::unsupported_request(subtype));
    co_return co_await relayed_.request(std::move(subtype), std::move(request));
  }
  bool congested() const override { return prompts_.full() && !agent_.waits_for_answers(); }
  Task<void> room() override {
    while (congested()) co_await changed_.wait();
  }
  void asking() override { changed_.notify_all(); }
  Task<void> input_ended() override {
    while (!prompts_.empty() || running_) co_await changed_.wait();
    co_await outbox_.sent();
    json::Object input = hook_input("SessionEnd");
    input.set("reason", "other");
    hooks_.tell_last("SessionEnd", "other", input);
  }

  void on_line(const claude::StreamLine& line) override {
    if (line.type != "user") return;
    auto message = json::from_text<claude::UserMessage>(line.json, {.known_utf8 = true});
    if (!message || message->message.role != "user") return;
    if (settings_.replay_user_messages) {
      json::Value again = json::parse_or_null(line.json);
      again.object()->set("isReplay", true);
      again.object()->set("session_id", settings_.session_id);
      outbox_.send(json::to_text(again));
    }
    if (!prompts_.push(*message, line.json.size())) return refuse(*message);
    changed_.notify_all();
  }

  void refuse(const claude::UserMessage& prompt) {
    claude::TurnResult result = ClaudeTurn::without_turn("error_during_execution", std::string(too_many_prompts), 0);
    result.user_message_uuid = prompt.uuid;
    result.session_id = settings_.session_id;
    result.uuid = make_uuid();
    lines_.send("result", result);
  }

  // One prompt after the other: each has its own init and result.
  Task<void> feed() {
    for (;;) {
      while (prompts_.empty() || running_) co_await changed_.wait();
      running_ = true;
      if (settings_.output != nullptr) settings_.output->begin();
      const claude::UserMessage prompt = prompts_.take();
      changed_.notify_all();
      prompt_uuid_ = prompt.uuid.value_or("");
      if (lost_) {
        finish(ClaudeTurn::without_turn("error_during_execution", lost_->message, 1));
        continue;
      }
      ClaudeContent said = read_claude_content(json::parse_or_null(prompt.message.content.json));
      co_await servers_.settled();
      hub::PromptOptions with = options();
      const HostHooks::Verdict verdict = co_await prompt_hooks(said.text);
      if (verdict.decision == "deny" || verdict.stops) {
        send_init();
        finish(ClaudeTurn::without_turn("success", "", verdict.stops ? 2 : 0));  // as Claude Code counts
        continue;
      }
      if (!verdict.context.empty()) with.add_to_system(verdict.context);
      if (const auto begun =
              co_await hub_.prompt(settings_.conversation, std::move(said.text), std::move(with), std::move(said.attachments));
          !begun) {
        send_init();
        finish(ClaudeTurn::without_turn("error_during_execution", begun.error().message, 1));
      }
    }
  }
  Task<HostHooks::Verdict> prompt_hooks(const std::string& text) {
    HostHooks::Verdict began;
    if (!std::exchange(session_told_, true)) {
      json::Object input = hook_input("SessionStart");
      input.set("source", settings_.source);
      began = co_await hooks_.run("SessionStart", settings_.source, std::move(input), "");
    }
    json::Object input = hook_input("UserPromptSubmit");
    input.set("prompt", text);
    HostHooks::Verdict verdict = co_await hooks_.run("UserPromptSubmit", "", std::move(input), "");
    if (!began.context.empty()) verdict.context = began.context + (verdict.context.empty() ? "" : "\n") + verdict.context;
    co_return verdict;
  }

  // At the pace at which the host reads.
  Task<void> follow() {
    for (;;) {
      const auto news = co_await follower_->next();
      if (!news) {
        lost_ = news.error();
        if (running_) finish(ClaudeTurn::without_turn("error_during_execution", lost_->message, lines_.rounds()));
        co_return;
      }
      for (const hub::EventPtr& event : news->events) {
        event_ = event->seq;
        lines_.at(event_);
        if (relayed_.answers() && !relayed_.init_told() && std::holds_alternative<hub::event::TurnEnd>(event->body)) send_init();
        std::visit([this](const auto& body) { tell(body); }, event->body);
        co_await outbox_.sent();
      }
    }
  }

  // Every kind of event is named: a new one does not compile until it is decided what the host hears of it.
  void tell(const hub::event::UserMessage&) {}  // its own words
  void tell(const hub::event::ThinkingStart&) {}
  void tell(const hub::event::Plan& plan) {
    if (!relayed_.answers() && !calls_.tell_a_plan()) lines_.plan(plan.entries);
  }
  void tell(const hub::event::TurnStart&) {
    if (!stop_hook_active_) {  // else it goes on, with all that was counted
      turn_.begin(loop_.now());
      lines_.usage = {};
      lines_.begin_turn(model());
      if (!relayed_.answers()) send_init();
    }
  }
  void tell(const hub::event::Text& text) {
    if (!relayed_.answers()) lines_.piece("text", text.text);
  }
  void tell(const hub::event::ThinkingContent& text) {
    if (!relayed_.answers()) lines_.piece("thinking", text.text);
  }
  void tell(const hub::event::ThinkingEnd&) { lines_.end_block(); }
  void tell(const hub::event::ToolStart& start) {
    const hub::ToolCall call = claude_call({.tool = start.tool, .arguments_json = start.input_json}, folder());
    json::Value input = json::parse_or_null(call.arguments_json);
    if (input.object() == nullptr) input = json::Object{};
    if (!relayed_.answers()) lines_.tool_use(start.call, call.tool, input, start.parent);
    calls_.begin(start.call, {.tool = call.tool, .input = std::move(input), .parent = start.parent});
    host_tools_.told(start.call);
  }
  void tell(const hub::event::ToolOutput& output) {
    lines_.end_message("tool_use");
    if (output.progress.value_or(false)) return;
    if (ToldCall* const call = calls_.find(output.call)) call->output += output.text;
  }
  void tell(const hub::event::ToolEnd& end) {
    const std::optional<ToldCall> call = calls_.end(end.call);
    if (!call) return;
    lines_.end_message("tool_use");
    const bool cut = end.state == hub::ToolEndState::cancelled;
    if (cut) cut_in_tool_ = true;
    if (relayed_.answers()) return;
    if (call->tool == structured_output_tool && has_failed(settings_.output))
      static_cast<void>(hub_.stop(settings_.conversation));  // it would try for ever
    if (end.state == hub::ToolEndState::rejected || (cut && call->asked))
      turn_.denied(call->tool, end.call, input_that_ran(end.call, *call));
    lines_.tool_result(end.call, cut && call->output.empty() ? "Interrupted before it had ended." : call->output,
                       end.state != hub::ToolEndState::done, call->parent);
  }
  const json::Value& input_that_ran(const std::string& id, const ToldCall& told) const {
    const HostTools::Passed* const passed = host_tools_.find(id);
    return passed != nullptr ? passed->call.input : told.input;
  }
  void ask(const hub::Ask& ask) {
    lines_.end_message("tool_use");
    if (ToldCall* const call = calls_.find(ask.call.value_or(""))) call->asked = true;
    questions_.ask(ask);
  }
  void tell(const hub::event::ToolConfirmation& asked) { ask(asked.ask); }
  void tell(const hub::event::UserQuestion& asked) { ask(asked.ask); }
  void tell(const hub::event::PlanApproval& asked) { ask(asked.ask); }
  void tell(const hub::event::AskSettled& settled) { questions_.withdraw(settled.ask); }
  void tell(const hub::event::Usage& usage) {
    lines_.add({.input_tokens = usage.input_tokens, .output_tokens = usage.output_tokens});
    turn_.cost(usage.cost.value_or(0));
  }
  void tell(const hub::event::ModeChanged& changed) {  // maybe by the agent: a plan was approved
    if (hub_mode(mode_, changed.mode) != changed.mode) mode_.clear();
  }
  void tell(const hub::event::Failure& failure) {
    turn_.failed(failure);
    if (failure.code == "not_shown") lines_.inform(failure.message + " " + failure.detail);
  }
  void tell(const hub::event::TurnEnd& end) { scope_.start(end_turn(end.stop_reason)); }

  Task<void> end_turn(hub::StopReason stop) {
    ClaudeTurnEnd end{.stop = stop,
                      .hook_stopped = host_tools_.take_stopped(),
                      .in_tool = std::exchange(cut_in_tool_, false),
                      .of_claude_code = relayed_.answers()};
    end.in_tool = questions_.take_interrupt() || end.in_tool;
    if (stop == hub::StopReason::end_turn) lines_.end_message("end_turn");
    else if (stop == hub::StopReason::cancelled) tell_cut(end.in_tool);
    else lines_.end_message(stop == hub::StopReason::refusal ? "refusal" : "max_tokens");
    if (stop == hub::StopReason::end_turn && !end.hook_stopped && co_await goes_on(end)) co_return;
    stop_hook_active_ = false;
    if (stop == hub::StopReason::error && turn_.failure() && !relayed_.answers())
      lines_.instead_of_answer(api_error_text(*turn_.failure()), api_error_kind(*turn_.failure()));
    if (stop == hub::StopReason::refusal && !relayed_.answers())
      lines_.instead_of_answer(std::string(refusal_text), "invalid_request");
    finish(turn_.result(end, lines_, settings_.options.most_rounds, settings_.output));
  }
  // An answer that was interrupted, and what Claude Code says in the person's name.
  void tell_cut(bool in_tool) {
    lines_.cut_message();
    if (relayed_.answers()) return;
    lines_.user(in_tool ? "[Request interrupted by user for tool use]" : "[Request interrupted by user]", false);
  }

  // A turn that would end goes on when a hook of the host says so, or its answer is not in the shape that the host wants.
  Task<bool> goes_on(ClaudeTurnEnd& end) {
    std::optional<std::string> more;
    if (hooks_.wants("Stop")) {
      json::Object input = hook_input("Stop");
      input.set("stop_hook_active", stop_hook_active_);
      input.set("last_assistant_message", lines_.last_text());
      const HostHooks::Verdict verdict = co_await hooks_.run("Stop", "", std::move(input), "");
      if ((end.stop_hook_stopped = verdict.stops)) co_return false;
      if (verdict.decision == "deny") {
        more = "Stop hook feedback:\n" + verdict.reason;
        lines_.user(*more, true);
      }
    }
    if (!more && (more = ask_on(settings_.output))) lines_.one_round_more();
    if (!more) co_return false;
    hub::PromptOptions same = options();
    if (same.most_rounds) same.most_rounds = rounds_left();  // it is the same turn to the host
    if (same.most_rounds == 0U) {
      end.stop = hub::StopReason::max_turns;
      co_return false;
    }
    stop_hook_active_ = true;
    if (co_await hub_.prompt(settings_.conversation, *std::move(more), std::move(same))) co_return true;
    co_return false;
  }
  hub::PromptOptions options() const { return with_instruction(settings_.options, settings_.output); }

  // ---- lines

  void send_init() {
    claude::SystemInit init{.session_id = settings_.session_id,
                            .cwd = folder(),
                            .tools = tool_names(),
                            .mcp_servers = server_states(),
                            .model = model(),
                            .permission_mode = permission_mode(),
                            .version = settings_.version,
                            .uuid = make_uuid()};
    lines_.send("system", init);
  }
  std::vector<std::string> tool_names() const {
    std::vector<std::string> names;
    const hub::Tools* const offered = settings_.offered != nullptr ? settings_.offered : settings_.tools;
    if (offered != nullptr)
      for (const hub::ToolSpec& tool : offered->list()) names.push_back(tool.name);
    return names;
  }
  wire::Raw server_states() const { return {json::to_text(servers_.status())}; }
  std::string permission_mode() const { return mode_.empty() ? claude_mode(hub_.find(settings_.conversation)->mode) : mode_; }
  std::string model() const {
    const hub::Conversation* conversation = hub_.find(settings_.conversation);
    return conversation->model.empty() ? conversation->agent : conversation->model;
  }

  std::uint32_t rounds_left() const {
    const auto done = static_cast<std::uint32_t>(lines_.answers());
    return std::max(*settings_.options.most_rounds, done) - done;
  }

  void finish(claude::TurnResult result) {
    if (std::string native = relayed_.take_result(); !native.empty()) {
      last_failed_ = json::parse_or_null(native).boolean_or("is_error", false);
      outbox_.send(std::move(native));
    } else {
      turn_.complete(result, settings_.session_id, loop_.now(), lines_.usage);
      if (!prompt_uuid_.empty()) result.user_message_uuid = prompt_uuid_;
      last_failed_ = result.is_error;
      lines_.send("result", result);
    }
    host_tools_.turn_ends();
    running_ = false;
    changed_.notify_all();
  }

  // ---- hooks of the host

  json::Object hook_input(std::string event) {
    json::Object input;
    input.set("session_id", settings_.session_id);
    input.set("transcript_path", "");
    input.set("cwd", folder());
    input.set("permission_mode", permission_mode());
    input.set("hook_event_name", std::move(event));
    return input;
  }
  const std::string& folder() const { return hub_.find(settings_.conversation)->folder; }
  const json::Value* input_of(const std::string& call) {
    if (const HostTools::Passed* const passed = host_tools_.find(call)) return &passed->call.input;
    const ToldCall* const told = calls_.find(call);
    return told == nullptr ? nullptr : &told->input;
  }

  Loop& loop_;
  hub::Hub& hub_;
  ClaudeFaceSettings settings_;
  std::string mode_;  // as the host set it
  ClaudePrompts prompts_;
  std::string prompt_uuid_;
  bool running_ = false;
  bool stop_hook_active_ = false;
  ToldCalls calls_;
  std::uint64_t event_ = 0;  // that is being told
  bool cut_in_tool_ = false;
  bool session_told_ = false;
  bool last_failed_ = false;
  ClaudeTurn turn_;
  ClaudeRules rules_;
  Signal changed_;
  std::optional<hub::Follower> follower_;
  std::optional<Error> lost_;  // the conversation cannot be followed any more
  claude::AgentSide agent_;
  ClaudeOutbox outbox_;
  ClaudeLines lines_;
  ClaudeMcpServers servers_;
  RelayedClaude relayed_;
  HostHooks hooks_;
  HostTools host_tools_;
  HostQuestions questions_;
  Scope scope_;
};

}  // namespace

Task<ClaudeServed> serve_hub_over_claude(Loop& loop, hub::Hub& hub, std::unique_ptr<Frames> frames, ClaudeFaceSettings settings) {
  ClaudeFace face(loop, hub, std::move(frames), std::move(settings));
  co_return co_await face.serve();
}

}  // namespace parlance::service

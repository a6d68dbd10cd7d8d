#include "service/hub_over_claude.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "base/secret.h"
#include "codec/json/typed.h"
#include "codec/json/value.h"
#include "hub/follower.h"
#include "protocol/claude/agent.h"
#include "protocol/claude/host.h"
#include "service/claude_content.h"
#include "service/claude_host_hooks.h"
#include "service/claude_host_questions.h"
#include "service/claude_lines.h"
#include "service/claude_mcp_servers.h"
#include "service/claude_only.h"
#include "service/claude_outbox.h"
#include "service/claude_tools.h"
#include "service/relayed_claude.h"

namespace parlance::service {
namespace {

// A mark between the texts of a system prompt: what stands before it is the same for many sessions.
constexpr std::string_view cache_boundary = "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__";

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
        questions_(loop, hub, agent_, hooks_,
                   {.conversation = settings_.conversation,
                    .allowed_tools = settings_.allowed_tools,
                    .disallowed_tools = settings_.disallowed_tools,
                    .asks = [this] { return settings_.asks && mode_ != "dontAsk"; },
                    .input_of = [this](const std::string& call) { return input_of(call); },
                    .hook_input = [this](std::string event) { return hook_input(std::move(event)); }}),
        scope_(loop) {}
  ~ClaudeFace() { scope_.cancel(); }

  Task<Error> serve() {
    const hub::Conversation* conversation = hub_.find(settings_.conversation);
    follower_.emplace(hub_, settings_.conversation, conversation != nullptr ? conversation->last_seq : 0);
    if (!relayed_.answers()) servers_.add_of_host(settings_.servers);
    scope_.start(follow());
    scope_.start(feed());
    co_return co_await agent_.run();
  }

 private:
  // ---- what the host asks

  Task<Result<wire::Raw>> initialize(claude::Initialize request) override {
    if (!relayed_.answers()) PARLANCE_CO_TRY_DO(take_servers(request));
    take_prompts(request);
    if (request.disallowed_tools) questions_.disallow(*request.disallowed_tools);
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
    if (request.system_prompt.json.empty()) return;
    const json::Value wanted = json::parse_or_null(request.system_prompt.json);
    if (const std::string* text = wanted.text()) settings_.options.system = *text;
    if (wanted.array() == nullptr) return;
    std::string all;
    for (const json::Value& part : *wanted.array())
      if (part.text() != nullptr && !part.text()->empty() && *part.text() != cache_boundary)
        all += (all.empty() ? "" : "\n\n") + *part.text();
    settings_.options.system = std::move(all);
  }
  Task<Result<claude::ModeReply>> set_permission_mode(claude::SetPermissionMode request) override {
    if (!claude::is_permission_mode(request.mode))
      co_return fail(Errc::invalid_params, "Invalid permission mode: " + request.mode);
    if (request.mode == "auto") co_return fail(no_auto_mode());
    const hub::Mode before = hub_.find(settings_.conversation)->mode;
    hub::Mode mode = hub_mode(request.mode, before);
    if (request.mode == "default") mode = hub::Mode::default_;
    PARLANCE_CO_TRY_DO(co_await hub_.set(settings_.conversation, {.mode = mode}));
    mode_ = request.mode;
    json::Object line = lines_.line("system");
    line.set("subtype", "status");
    line.set("status", nullptr);
    line.set("permissionMode", request.mode);
    lines_.send(std::move(line));
    co_return claude::ModeReply{.mode = request.mode};
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
  Task<void> input_ended() override {
    while (!prompts_.empty() || running_) co_await changed_.wait();
    co_await outbox_.sent();
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
    prompts_.push_back(*std::move(message));
    changed_.notify_all();
  }

  // One prompt after the other: each has its own init and result.
  Task<void> feed() {
    for (;;) {
      while (prompts_.empty() || running_) co_await changed_.wait();
      running_ = true;
      if (settings_.output != nullptr) settings_.output->begin();
      prompt_uuid_ = prompts_.front().uuid.value_or("");
      ClaudeContent said = read_claude_content(json::parse_or_null(prompts_.front().message.content.json));
      prompts_.pop_front();
      if (lost_) {
        finish("error_during_execution", lost_->message, true);
        continue;
      }
      co_await servers_.settled();
      json::Object input = hook_input("UserPromptSubmit");
      input.set("prompt", said.text);
      if (const auto blocked = co_await hooks_.run("UserPromptSubmit", "", std::move(input), ""); blocked.decision == "deny") {
        send_init();
        finish("success", blocked.reason, false);
        continue;
      }
      if (const auto begun =
              co_await hub_.prompt(settings_.conversation, std::move(said.text), options(), std::move(said.attachments));
          !begun) {
        send_init();
        finish("error_during_execution", begun.error().message, true);
      }
    }
  }

  // ---- what the agent tells

  // At the pace at which the host reads.
  Task<void> follow() {
    for (;;) {
      const auto news = co_await follower_->next();
      if (!news) {
        lost_ = news.error();
        if (running_) finish("error_during_execution", lost_->message, true);
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
    if (!relayed_.answers() && !plan_is_a_call()) lines_.plan(plan.entries);
  }
  void tell(const hub::event::TurnStart&) {
    if (!stop_hook_active_) {  // else it goes on, with all that was counted
      failure_.reset();
      denials_.clear();
      lines_.usage = {};
      cost_ = 0;
      started_ = loop_.now();
      lines_.begin_turn(model());
    }
    if (!relayed_.answers()) send_init();
  }
  void tell(const hub::event::Text& text) {
    if (!relayed_.answers()) lines_.piece("text", text.text);
  }
  void tell(const hub::event::ThinkingContent& text) {
    if (!relayed_.answers()) lines_.piece("thinking", text.text);
  }
  void tell(const hub::event::ThinkingEnd&) { lines_.end_block(); }
  void tell(const hub::event::ToolStart& start) {
    json::Value input = json::parse_or_null(start.input_json);
    if (input.object() == nullptr) input = json::Object{};
    if (!relayed_.answers()) {
      lines_.end_block();
      lines_.tool_use(start.call, start.tool, input, start.parent);
      lines_.end_message();
    }
    calls_[start.call] = {.tool = start.tool, .input = std::move(input), .parent = start.parent};
  }
  void tell(const hub::event::ToolOutput& output) {
    if (output.progress.value_or(false)) return;
    if (const auto call = calls_.find(output.call); call != calls_.end()) call->second.output += output.text;
  }
  void tell(const hub::event::ToolEnd& end) {
    const auto found = calls_.find(end.call);
    if (found == calls_.end()) return;
    const Call call = std::move(found->second);
    calls_.erase(found);
    if (relayed_.answers()) return;
    if (call.tool == structured_output_tool && has_failed(settings_.output))
      static_cast<void>(hub_.stop(settings_.conversation));  // it would try for ever
    const bool failed = end.state != hub::ToolEndState::done;
    if (end.state == hub::ToolEndState::rejected) {
      json::Object denial;
      denial.set("tool_name", call.tool);
      denial.set("tool_use_id", end.call);
      denial.set("tool_input", call.input);
      denials_.push_back(std::move(denial));
    }
    lines_.tool_result(end.call, call.output, failed, call.parent);
    if (hooks_.wants("PostToolUse")) {
      json::Object input = hook_input("PostToolUse");
      input.set("tool_name", call.tool);
      input.set("tool_input", call.input);
      input.set("tool_response", call.output);
      scope_.start(hooks_.tell("PostToolUse", call.tool, std::move(input), end.call));
    }
  }
  void tell(const hub::event::ToolConfirmation& asked) { questions_.ask(asked.ask); }
  void tell(const hub::event::UserQuestion& asked) { questions_.ask(asked.ask); }
  void tell(const hub::event::PlanApproval& asked) { questions_.ask(asked.ask); }
  void tell(const hub::event::AskSettled& settled) { questions_.withdraw(settled.ask); }
  void tell(const hub::event::Usage& usage) {
    lines_.usage.input_tokens += usage.input_tokens;
    lines_.usage.output_tokens += usage.output_tokens;
    cost_ += usage.cost.value_or(0);
  }
  void tell(const hub::event::ModeChanged& changed) {  // maybe by the agent: a plan was approved
    if (hub_mode(mode_, changed.mode) != changed.mode) mode_.clear();
  }
  void tell(const hub::event::Failure& failure) {
    failure_ = failure;
    if (failure.code != "not_shown") return;
    json::Object line = lines_.line("system");  // of no consequence for the turn, and the person should know it
    line.set("subtype", "informational");
    line.set("content", failure.message + " " + failure.detail);
    line.set("level", "warning");
    lines_.send(std::move(line));
  }
  void tell(const hub::event::TurnEnd& end) {
    lines_.end_block();
    lines_.end_message();
    scope_.start(end_turn(end.stop_reason));
  }

  Task<void> end_turn(hub::StopReason stop) {
    if (stop == hub::StopReason::end_turn) {
      if (auto more = co_await goes_on_with()) {
        stop_hook_active_ = true;
        hub::PromptOptions same = options();
        if (same.most_rounds) same.most_rounds = rounds_left();  // it is the same turn to the host
        if (same.most_rounds == 0U) stop = hub::StopReason::max_turns;
        else if (co_await hub_.prompt(settings_.conversation, *std::move(more), std::move(same))) co_return;
      }
    }
    stop_hook_active_ = false;
    stop_reason_ = stop == hub::StopReason::max_tokens ? "max_tokens" : stop == hub::StopReason::refusal ? "refusal" : "end_turn";
    const bool may_fail = stop == hub::StopReason::end_turn || stop == hub::StopReason::cancelled;
    if (may_fail && has_failed(settings_.output))
      finish("error_max_structured_output_retries", settings_.output->failure(), true);
    else if (stop == hub::StopReason::cancelled) finish("error_during_execution", "", true);
    else if (stop == hub::StopReason::max_turns) finish("error_max_turns", limit_text(), true);
    else if (stop == hub::StopReason::error) finish("success", failure_ ? failure_->message : "the turn failed", true);
    else finish("success", lines_.last_text(), false);
  }

  // What a turn that would end goes on with: a hook of the host, or its answer is not in the shape that the host wants.
  Task<std::optional<std::string>> goes_on_with() {
    if (hooks_.wants("Stop")) {
      json::Object input = hook_input("Stop");
      input.set("stop_hook_active", stop_hook_active_);
      HostHooks::Verdict verdict = co_await hooks_.run("Stop", "", std::move(input), "");
      if (verdict.decision == "deny") co_return std::move(verdict.reason);
    }
    co_return ask_on(settings_.output);
  }
  hub::PromptOptions options() const { return with_instruction(settings_.options, settings_.output); }

  // ---- lines

  void send_init() {
    const hub::Conversation* conversation = hub_.find(settings_.conversation);
    claude::SystemInit init{.session_id = settings_.session_id,
                            .cwd = conversation->folder,
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
    if (settings_.tools != nullptr)
      for (const hub::ToolSpec& tool : settings_.tools->list()) names.push_back(tool.name);
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
  std::string limit_text() const {
    if (const auto& most = settings_.options.most_rounds)
      return "Reached maximum number of turns (" + std::to_string(*most) + ")";
    return failure_ ? failure_->message : "Reached maximum number of turns";
  }

  void finish(std::string subtype, std::string text, bool is_error) {
    if (std::string native = relayed_.take_result(); !native.empty()) outbox_.send(std::move(native));
    else send_result(std::move(subtype), std::move(text), is_error);
    denials_.clear();
    running_ = false;
    changed_.notify_all();
  }
  void send_result(std::string subtype, std::string text, bool is_error) {
    claude::TurnResult result{
        .subtype = std::move(subtype),
        .is_error = is_error,
        .stop_reason = stop_reason_,
        .session_id = settings_.session_id,
        .duration_ms = std::chrono::duration_cast<std::chrono::milliseconds>(loop_.now() - started_).count(),
        .duration_api_ms = 0,
        .num_turns = lines_.answers(),
        .total_cost_usd = total_cost_ += cost_,
        .usage = lines_.usage,
        .model_usage = {"{}"},
        .denials = {json::to_text(json::Value(std::move(denials_)))},
        .uuid = make_uuid()};
    if (result.subtype == "success") result.structured_output.json = answer_of(settings_.output);
    if (result.subtype == "error_max_structured_output_retries") result.terminal_reason = "structured_output_retry_exhausted";
    if (result.subtype == "error_max_turns") {  // as Claude Code tells it: the round that was not begun counts
      result.num_turns = (settings_.options.most_rounds ? *settings_.options.most_rounds : lines_.answers()) + 1;
      result.stop_reason = "tool_use";
      result.terminal_reason = "max_turns";
    }
    if (result.subtype == "success") result.result = std::move(text);
    else
      result.errors.json = json::to_text(json::Value(text.empty() ? json::Array{} : json::Array{json::Value(std::move(text))}));
    if (!prompt_uuid_.empty()) result.user_message_uuid = prompt_uuid_;
    lines_.send("result", result);
  }

  // ---- hooks of the host

  json::Object hook_input(std::string event) {
    const hub::Conversation* conversation = hub_.find(settings_.conversation);
    json::Object input;
    input.set("session_id", settings_.session_id);
    input.set("transcript_path", "");
    input.set("cwd", conversation->folder);
    input.set("permission_mode", permission_mode());
    input.set("hook_event_name", std::move(event));
    return input;
  }
  // The call with which it is told is being told as well.
  bool plan_is_a_call() const {
    return std::ranges::any_of(calls_, [](const auto& one) { return own_tool(one.second.tool) == own_tool("TodoWrite"); });
  }
  const json::Value* input_of(const std::string& call) const {
    const auto found = calls_.find(call);
    return found == calls_.end() ? nullptr : &found->second.input;
  }
  struct Call {
    std::string tool{};
    json::Value input{};
    std::optional<std::string> parent{};
    std::string output{};
  };

  Loop& loop_;
  hub::Hub& hub_;
  ClaudeFaceSettings settings_;
  std::string mode_;  // as the host set it
  std::deque<claude::UserMessage> prompts_;
  std::string prompt_uuid_;
  bool running_ = false;
  bool stop_hook_active_ = false;
  std::map<std::string, Call> calls_;
  std::uint64_t event_ = 0;  // that is being told
  std::string stop_reason_ = "end_turn";
  std::optional<hub::event::Failure> failure_;
  json::Array denials_;
  double cost_ = 0;
  double total_cost_ = 0;
  TimePoint started_{};
  Signal changed_;
  std::optional<hub::Follower> follower_;
  std::optional<Error> lost_;  // the conversation cannot be followed any more
  claude::AgentSide agent_;
  ClaudeOutbox outbox_;
  HostHooks hooks_{agent_};
  ClaudeLines lines_;
  ClaudeMcpServers servers_;
  RelayedClaude relayed_;
  HostQuestions questions_;
  Scope scope_;
};

}  // namespace

Task<Error> serve_hub_over_claude(Loop& loop, hub::Hub& hub, std::unique_ptr<Frames> frames, ClaudeFaceSettings settings) {
  ClaudeFace face(loop, hub, std::move(frames), std::move(settings));
  co_return co_await face.serve();
}

}  // namespace parlance::service

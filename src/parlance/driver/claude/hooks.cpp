// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/claude/hooks.h"

#include "parlance/adapter/claude/hook_matcher.h"
#include "parlance/async/scope.h"
#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/driver/claude/limits.h"
#include "parlance/process/child_process.h"
#include "parlance/transport/whole_file.h"

namespace parlance::driver {
namespace {

constexpr std::string_view id_prefix = "parlance_hook_";  // the SDK numbers its own as hook_N
constexpr std::string_view gate_id = "parlance_hook_gate";
constexpr double gate_seconds = 7 * 24 * 3600;  // a person answers within it; more does not fit a timer of JavaScript for long
constexpr double late_seconds = 5;  // Claude Code waits longer than parlance by this time, so the answer of parlance arrives

Duration time_of(const ClaudeHook& hook) {
  if (!hook.timeout) return limits::claude_hook_timeout;
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(*hook.timeout));
}
bool blocks(const ClaudeHook& hook) { return hook.on_failure == "block"; }

Task<Result<std::string>> run_command(Loop& loop, std::string command, std::string folder, std::string input) {
  PARLANCE_CO_TRY(child, ChildProcess::start(loop, {.command = {"/bin/sh", "-c", std::move(command)},
                                                    .folder = std::move(folder),
                                                    .folder_links = FolderLinks::refused}));
  const auto stream = child->take_stream();
  const auto feed = [](ByteStream& into, const std::string& text) -> Task<void> {
    static_cast<void>(co_await write_all(into, text));
    into.close_output();
  };
  Scope feeding(loop);
  feeding.start(feed(*stream, input));
  std::string output;
  std::vector<char> buffer(16 << 10);
  for (;;) {
    const auto got = co_await read_some(*stream, buffer);
    if (!got || *got == 0) break;
    if (output.size() + *got > limits::claude_hook_output_bytes) co_return fail(Errc::failed, "its output is too large");
    output.append(buffer.data(), *got);
  }
  const ExitStatus status = co_await child->wait();
  if (status.code != 0) co_return fail(Errc::failed, status.describe());
  co_return output;
}

Task<Result<std::string>> post(HttpClient& client, std::string url, std::string input, Duration time) {
  PARLANCE_CO_TRY(answer, co_await client.fetch({.method = "POST",
                                                 .url = std::move(url),
                                                 .headers = {{"Content-Type", "application/json"}},
                                                 .body = std::move(input),
                                                 .total_timeout = std::chrono::duration_cast<std::chrono::milliseconds>(time),
                                                 .body_limit = limits::claude_hook_output_bytes}));
  if (answer.status < 200 || answer.status > 299) co_return fail(Errc::failed, "status " + std::to_string(answer.status));
  co_return std::move(answer.body);
}

// A refusal that every version understands.
std::string refusal(const std::string& event, const std::string& why) {
  json::Object output;
  if (event == "PreToolUse") {
    json::Object specific;
    specific.set("hookEventName", event);
    specific.set("permissionDecision", "deny");
    specific.set("permissionDecisionReason", why);
    output.set("hookSpecificOutput", std::move(specific));
  } else {
    output.set("decision", "block");
    output.set("reason", why);
  }
  return json::to_text(json::Value(std::move(output)));
}

// deny, ask or allow; empty: no opinion; unknown: any other word.
std::string decision_of(const json::Value& output) {
  if (!output.boolean_or("continue", true)) return "deny";
  const json::Value* const specific = output.find("hookSpecificOutput");
  const json::Value* decision = specific != nullptr ? specific->find("permissionDecision") : nullptr;
  if (decision == nullptr) decision = output.find("decision");  // the older word
  if (decision == nullptr || decision->is_null()) return "";
  const std::string text = decision->text() != nullptr ? *decision->text() : "";
  if (text == "approve") return "allow";
  if (text == "block") return "deny";
  return text == "ask" || text == "allow" || text == "deny" ? text : "unknown";
}

}  // namespace

Result<std::vector<ClaudeHook>> read_claude_hooks(const std::string& path) {
  const auto text = read_whole_file(path);
  if (!text) return fail(Errc::not_found, "hooks: " + path + " cannot be read");
  auto hooks = json::from_text<std::vector<ClaudeHook>>(*text);
  if (!hooks) return fail(hooks.error().in("hooks: " + path));
  for (const ClaudeHook& hook : *hooks) {
    if (hook.command.empty() == hook.url.empty())
      return fail(Errc::invalid_params, "hooks: " + path + ": a hook needs either a command or a url");
    if (hook.on_failure && *hook.on_failure != "block" && *hook.on_failure != "continue")
      return fail(Errc::invalid_params, "hooks: " + path + ": on_failure is continue or block");
    if (const auto matcher = adapter::ClaudeHookMatcher::of(hook.matcher.value_or("")); !matcher)
      return fail(Errc::invalid_params, "hooks: " + path + ": matcher is no regular expression: " + matcher.error().message);
    if (hook.timeout && *hook.timeout <= 0) return fail(Errc::invalid_params, "hooks: " + path + ": a timeout is more than 0");
  }
  return hooks;
}

ClaudeHooks::ClaudeHooks(Loop& loop, std::vector<ClaudeHook> hooks) : loop_(loop), hooks_(std::move(hooks)) {}
ClaudeHooks::~ClaudeHooks() = default;

void ClaudeHooks::offer(claude::Initialize& initialize) const {
  initialize.hooks.state = decltype(initialize.hooks)::State::value;
  initialize.hooks.value["PreToolUse"].push_back(
      {.callback_ids = {std::string(gate_id)}, .timeout = gate_seconds, .on_failure = "block"});
  for (std::size_t i = 0; i < hooks_.size(); ++i) {
    const ClaudeHook& hook = hooks_[i];
    if (hook.event == "PreToolUse") continue;
    initialize.hooks.value[hook.event].push_back(
        {.matcher = hook.matcher,
         .callback_ids = {std::string(id_prefix) + std::to_string(i)},
         .timeout = std::chrono::duration<double>(time_of(hook)).count() + late_seconds,
         .on_failure = blocks(hook) ? std::optional<std::string>("block") : std::nullopt});
  }
}

bool ClaudeHooks::has(std::string_view callback_id) { return callback_id.starts_with(id_prefix); }
bool ClaudeHooks::is_gate(std::string_view callback_id) { return callback_id == gate_id; }

Task<Result<std::string>> ClaudeHooks::ask(const ClaudeHook& hook, std::string input, std::string folder) {
  if (!hook.url.empty()) {
    if (!http_) http_ = std::make_unique<HttpClient>(loop_);
    co_return co_await post(*http_, hook.url, std::move(input), time_of(hook));
  }
  co_return co_await run_command(loop_, hook.command, std::move(folder), std::move(input));
}

Task<Result<wire::Raw>> ClaudeHooks::call(const claude::HookCallback& callback, const std::string& folder) {
  const std::string_view id = callback.callback_id;
  const auto number = has(id) ? parse_number<std::size_t>(id.substr(id_prefix.size())) : std::nullopt;
  if (!number || *number >= hooks_.size()) co_return fail(Errc::not_found, "no such hook: " + callback.callback_id);
  co_return co_await run(*number, callback, folder);
}

Task<Result<wire::Raw>> ClaudeHooks::run(std::size_t number, const claude::HookCallback& callback, const std::string& folder) {
  const ClaudeHook& hook = hooks_[number];
  const std::string name = hook.command.empty() ? hook.url : hook.command;
  auto output = co_await with_deadline(loop_, loop_.now() + time_of(hook), ask(hook, callback.input.json, folder));
  if (output) {
    const std::string text(trim(*output));
    if (text.empty()) co_return wire::Raw{"{}"};
    if (auto compact = json::compact(text); compact && compact->starts_with('{')) co_return wire::Raw{*std::move(compact)};
    output = fail(Errc::failed, "its output is no JSON object");
  }
  const std::string why =
      "hook " + name + ": " + (output.error().code == Errc::deadline_exceeded ? "no answer in time" : output.error().message);
  log(LogLevel::warn, "a hook of Claude Code failed", {{"event", hook.event}, {"why", why}});
  co_return wire::Raw{blocks(hook) ? refusal(hook.event, why) : "{}"};
}

Task<ClaudeHooks::Verdict> ClaudeHooks::before_tool(std::string tool, claude::HookCallback callback, std::string folder) {
  Verdict all;
  for (std::size_t i = 0; i < hooks_.size(); ++i) {
    if (hooks_[i].event != "PreToolUse") continue;
    const auto matcher = adapter::ClaudeHookMatcher::of(hooks_[i].matcher.value_or(""));
    if (matcher && !matcher->fits(tool)) continue;  // read_claude_hooks has refused a matcher with a fault
    const auto output = co_await run(i, callback, folder);
    if (!output) co_return Verdict{.decision = "deny", .output = {refusal("PreToolUse", output.error().message)}};
    const json::Value said = json::parse_or_null(output->json);
    const std::string decision = decision_of(said);
    if (decision == "deny") co_return Verdict{.decision = decision, .output = *output};
    if (decision == "unknown")  // Claude Code would continue
      co_return Verdict{.decision = "deny", .output = {refusal("PreToolUse", "a hook answered with an unknown decision")}};
    if (output->json != "{}") all.output = *output;
    if (all.decision != "ask" && !decision.empty()) all.decision = decision;
    const json::Value* const specific = said.find("hookSpecificOutput");
    const json::Value* const input = specific != nullptr ? specific->find("updatedInput") : nullptr;
    if (input == nullptr || input->object() == nullptr) continue;
    all.input = *input;
    json::Value hook_input = json::parse_or_null(callback.input.json);  // the next hook sees the changed call
    if (hook_input.object() != nullptr) hook_input.object()->set("tool_input", *input);
    callback.input.json = json::to_text(hook_input);
  }
  co_return all;
}

}  // namespace parlance::driver

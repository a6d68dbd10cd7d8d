// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/claude/host_hooks.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "parlance/adapter/claude/hook_matcher.h"
#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/base/log.h"

namespace parlance::face {
namespace {

constexpr double hook_seconds = 600;  // the default timeout of Claude Code: a person may be behind a hook

// A matcher with a fault is logged, and fits no tool.
adapter::ClaudeHookMatcher matching_of(const std::string& event, const claude::HookMatcher& matcher) {
  auto matching = adapter::ClaudeHookMatcher::of(matcher.matcher.value_or(""));
  if (matching) return *std::move(matching);
  log(LogLevel::warn, "a hook of the host fits no tool: its matcher is no regular expression",
      {{"event", event}, {"matcher", *matcher.matcher}, {"why", matching.error().message}});
  return adapter::ClaudeHookMatcher::none();
}

bool is_any_of(std::string_view text, std::initializer_list<std::string_view> texts) {
  return std::ranges::find(texts, text) != texts.end();
}

// The verdict in a hook's output. Errors: output that Claude Code would reject.
Result<HostHooks::Verdict> verdict_of(const wire::Raw& answer) {
  const json::Value output = json::parse_or_null(answer.json);
  if (output.object() == nullptr) return fail(Errc::invalid_params, "its output is no JSON object");
  HostHooks::Verdict verdict;
  if (output.boolean_or("async", false)) return verdict;
  if (const json::Value* old = output.find("decision"); old != nullptr && !old->is_null()) {
    const std::string_view decision = output.text_or("decision", "");
    if (!is_any_of(decision, {"approve", "block"})) return fail(Errc::invalid_params, "$.decision: approve or block");
    verdict.decision = decision == "block" ? "deny" : "allow";
    verdict.reason = output.text_or("reason", "");
  }
  if (!output.boolean_or("continue", true)) {
    verdict.stops = true;
    verdict.stop_reason = output.text_or("stopReason", "");
  }
  const json::Value* specific = output.find("hookSpecificOutput");
  if (specific == nullptr || specific->object() == nullptr) return verdict;
  if (const std::string_view decision = specific->text_or("permissionDecision", ""); !decision.empty()) {
    if (!is_any_of(decision, {"allow", "ask", "deny"}))
      return fail(Errc::invalid_params, "$.hookSpecificOutput.permissionDecision: allow, ask or deny");
    verdict.decision = decision;
    verdict.reason = specific->text_or("permissionDecisionReason", "");
  }
  if (const json::Value* input = specific->find("updatedInput"); input != nullptr && input->object() != nullptr)
    verdict.input_json = json::to_text(*input);
  verdict.context = specific->text_or("additionalContext", "");
  if (const json::Value* request = specific->find("decision"); request != nullptr) verdict.request = *request;
  return verdict;
}

int strictness(std::string_view decision) { return decision == "deny" ? 3 : decision == "ask" ? 2 : decision == "allow" ? 1 : 0; }

void put_together(HostHooks::Verdict& all, HostHooks::Verdict verdict) {
  if (strictness(verdict.decision) > strictness(all.decision)) {
    all.decision = std::move(verdict.decision);
    all.reason = std::move(verdict.reason);
  }
  if (verdict.input_json) all.input_json = std::move(verdict.input_json);
  if (verdict.stops && !std::exchange(all.stops, true)) all.stop_reason = std::move(verdict.stop_reason);
  if (!verdict.context.empty()) all.context += (all.context.empty() ? "" : "\n") + verdict.context;
  if (!verdict.request.is_null() && all.request.is_null()) all.request = std::move(verdict.request);
}

}  // namespace

struct HostHooks::Hook {
  claude::HookMatcher matcher;
  adapter::ClaudeHookMatcher matching;

  bool fits(const std::string& tool) const { return tool.empty() || matching.fits(tool); }
};

HostHooks::HostHooks(Loop& loop, claude::AgentSide& agent) : loop_(loop), agent_(agent) {}
HostHooks::~HostHooks() = default;

void HostHooks::set(std::map<std::string, std::vector<claude::HookMatcher>> hooks) {
  hooks_.clear();
  for (auto& [event, matchers] : hooks) {
    auto compiled = std::make_shared<Hooks>();
    for (claude::HookMatcher& matcher : matchers) {
      auto matching = matching_of(event, matcher);
      compiled->push_back({.matcher = std::move(matcher), .matching = std::move(matching)});
    }
    hooks_.emplace(event, std::move(compiled));
  }
}

// A call of several hooks.
struct HostHooks::Asked {
  Asked(Loop& loop, std::string of, std::string input, std::string about)
      : event(std::move(of)), text(std::move(input)), call(std::move(about)), answered(loop) {}
  std::string event;
  std::string text;
  std::string call;
  std::vector<std::optional<Verdict>> verdicts;  // in order of the hooks
  std::size_t open = 0;
  Signal answered;
};

Task<HostHooks::Verdict> HostHooks::run(std::string event, std::string subject, json::Object input, std::string call) {
  const auto found = hooks_.find(event);
  if (found == hooks_.end()) co_return Verdict{};
  const std::shared_ptr<const Hooks> hooks = found->second;
  Asked asked(loop_, std::move(event), json::to_text(json::Value(std::move(input))), std::move(call));
  Scope scope(loop_);
  for (const Hook& hook : *hooks)
    if (hook.fits(subject)) asked.open += hook.matcher.callback_ids.size();
  asked.verdicts.resize(asked.open);
  std::size_t place = 0;
  for (const Hook& hook : *hooks)
    if (hook.fits(subject))
      for (const std::string& id : hook.matcher.callback_ids) scope.start(ask(asked, id, hook, place++));
  while (asked.open != 0) co_await asked.answered.wait();
  Verdict all;
  for (auto& verdict : asked.verdicts)
    if (verdict) put_together(all, *std::move(verdict));
  co_return all;
}

Task<void> HostHooks::ask(Asked& asked, std::string id, const Hook& hook, std::size_t place) {
  const auto time =
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(hook.matcher.timeout.value_or(hook_seconds)));
  claude::HookCallback callback{.callback_id = std::move(id), .input = {asked.text}};
  if (!asked.call.empty()) callback.tool_use_id = asked.call;
  const auto answer = co_await agent_.hook_callback(callback, within(time));
  Result<Verdict> verdict = answer ? verdict_of(*answer) : std::unexpected(answer.error());
  if (!verdict) {
    const Error& error = verdict.error();
    log(LogLevel::warn, "a hook of the host failed", {{"event", asked.event}, {"why", error.message}});
    const bool late = error.code == Errc::deadline_exceeded && asked.event == "PreToolUse";
    if (late || hook.matcher.on_failure == "block")
      verdict = Verdict{.decision = "deny", .reason = "A hook of the host failed: " + error.message};
  }
  if (verdict) asked.verdicts[place] = *std::move(verdict);
  --asked.open;
  asked.answered.notify_all();
}

void HostHooks::notify_last(const std::string& event, const std::string& subject, const json::Object& input) {
  const auto found = hooks_.find(event);
  if (found == hooks_.end()) return;
  for (const Hook& hook : *found->second)
    if (hook.fits(subject))
      for (const std::string& id : hook.matcher.callback_ids)
        agent_.send_hook({.callback_id = id, .input = {json::to_text(json::Value(input))}});
}

}  // namespace parlance::face

#include "service/claude_host_hooks.h"

#include <optional>
#include <regex>

#include "base/log.h"

namespace parlance::service {
namespace {

constexpr double hook_seconds = 60;  // of a hook that names no time

// Absent: of every tool. A faulty one is told, and fits none.
std::optional<std::regex> pattern_of(const std::string& event, const claude::HookMatcher& matcher) {
  if (!matcher.matcher || matcher.matcher->empty() || *matcher.matcher == "*") return std::nullopt;
  try {
    return std::regex(*matcher.matcher, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error& fault) {
    log(LogLevel::warn, "a hook of the host fits no tool: its matcher is no regular expression",
        {{"event", event}, {"matcher", *matcher.matcher}, {"why", fault.what()}});
    return std::regex("(?!)");
  }
}

// What one hook's output decides.
HostHooks::Verdict verdict_of(const wire::Raw& answer) {
  const json::Value output = json::parse_or_null(answer.json);
  if (output.text_or("decision", "") == "block") return {"deny", std::string(output.text_or("reason", ""))};
  const json::Value* specific = output.find("hookSpecificOutput");
  if (specific == nullptr) return {};
  const std::string_view decision = specific->text_or("permissionDecision", "");
  if (decision != "deny" && decision != "allow") return {};
  return {std::string(decision), std::string(specific->text_or("permissionDecisionReason", ""))};
}

}  // namespace

struct HostHooks::Hook {
  claude::HookMatcher matcher;
  std::optional<std::regex> pattern;

  bool fits(const std::string& tool) const { return tool.empty() || !pattern || std::regex_match(tool, *pattern); }
};

HostHooks::HostHooks(claude::AgentSide& agent) : agent_(agent) {}
HostHooks::~HostHooks() = default;

void HostHooks::set(std::map<std::string, std::vector<claude::HookMatcher>> hooks) {
  hooks_.clear();
  for (auto& [event, matchers] : hooks) {
    auto compiled = std::make_shared<Hooks>();
    for (claude::HookMatcher& matcher : matchers) {
      auto pattern = pattern_of(event, matcher);
      compiled->push_back({.matcher = std::move(matcher), .pattern = std::move(pattern)});
    }
    hooks_.emplace(event, std::move(compiled));
  }
}

Task<HostHooks::Verdict> HostHooks::run(std::string event, std::string tool, json::Object input, std::string call) {
  Verdict verdict;
  const auto found = hooks_.find(event);
  if (found == hooks_.end()) co_return verdict;
  const std::shared_ptr<const Hooks> hooks = found->second;
  const std::string text = json::to_text(json::Value(std::move(input)));
  for (const Hook& hook : *hooks) {
    if (!hook.fits(tool)) continue;
    const claude::HookMatcher& matcher = hook.matcher;
    const auto time = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(matcher.timeout.value_or(hook_seconds)));
    for (const std::string& id : matcher.callback_ids) {
      claude::HookCallback callback{.callback_id = id, .input = {text}};
      if (!call.empty()) callback.tool_use_id = call;
      const auto answer = co_await agent_.hook_callback(std::move(callback), within(time));
      if (!answer) {
        log(LogLevel::warn, "a hook of the host failed", {{"event", event}, {"why", answer.error().message}});
        if (matcher.on_failure == "block") co_return Verdict{"deny", "hook: " + answer.error().message};
        continue;
      }
      Verdict one = verdict_of(*answer);
      if (one.decision == "deny") co_return one;
      if (one.decision == "allow") verdict = std::move(one);
    }
  }
  co_return verdict;
}

Task<void> HostHooks::tell(std::string event, std::string tool, json::Object input, std::string call) {
  static_cast<void>(co_await run(std::move(event), std::move(tool), std::move(input), std::move(call)));
}

}  // namespace parlance::service

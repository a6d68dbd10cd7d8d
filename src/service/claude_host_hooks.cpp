#include "service/claude_host_hooks.h"

#include <regex>

#include "base/log.h"

namespace parlance::service {
namespace {

constexpr double hook_seconds = 60;  // of a hook that names no time

bool fits(const claude::HookMatcher& matcher, const std::string& tool) {
  if (tool.empty() || !matcher.matcher || matcher.matcher->empty() || *matcher.matcher == "*") return true;
  try {
    return std::regex_match(tool, std::regex(*matcher.matcher, std::regex::ECMAScript));
  } catch (const std::regex_error&) {
    return false;
  }
}

// What one hook's output decides.
HostHooks::Verdict verdict_of(const wire::Raw& answer) {
  const json::Value output = json::parse(answer.json.empty() ? "null" : answer.json).value_or(json::Value());
  if (output.text_or("decision", "") == "block") return {"deny", std::string(output.text_or("reason", ""))};
  const json::Value* specific = output.find("hookSpecificOutput");
  if (specific == nullptr) return {};
  const std::string_view decision = specific->text_or("permissionDecision", "");
  if (decision != "deny" && decision != "allow") return {};
  return {std::string(decision), std::string(specific->text_or("permissionDecisionReason", ""))};
}

}  // namespace

Task<HostHooks::Verdict> HostHooks::run(std::string event, std::string tool, json::Object input, std::string call) {
  Verdict verdict;
  const auto found = hooks_.find(event);
  if (found == hooks_.end()) co_return verdict;
  const std::vector<claude::HookMatcher> matchers = found->second;
  const std::string text = json::to_text(json::Value(std::move(input)));
  for (const claude::HookMatcher& matcher : matchers) {
    if (!fits(matcher, tool)) continue;
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

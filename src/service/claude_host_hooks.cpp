#include "service/claude_host_hooks.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/log.h"
#include "base/regex/pattern.h"
#include "base/text.h"

namespace parlance::service {
namespace {

constexpr double hook_seconds = 60;  // of a hook that names no time

constexpr std::size_t matching_work = 1'000'000;  // of one matcher and one name: 10 ms; real ones take some hundreds

// Which tools a matcher means, as Claude Code reads it: `*` or nothing is every tool; words, also several with | between them, are
// whole names; anything else is an expression that fits anywhere in the name.
class Matching {
 public:
  static Result<Matching> of(std::string_view matcher) {
    Matching matching;
    if (matcher.empty() || matcher == "*") return matching;
    matching.any_ = false;
    if (std::ranges::all_of(matcher, is_name_or_bar)) {
      for (const std::string_view name : split(matcher, '|')) matching.names_.emplace_back(name);
      return matching;
    }
    PARLANCE_TRY(pattern, regex::Pattern::compile(matcher));
    matching.pattern_ = std::move(pattern);
    return matching;
  }
  static Matching none() {
    Matching matching;
    matching.any_ = false;
    return matching;
  }

  bool fits(std::string_view tool) const {
    std::size_t work = matching_work;
    return any_ || std::ranges::find(names_, tool) != names_.end() || (pattern_ && pattern_->found_in(tool, work));
  }

 private:
  static bool is_name_or_bar(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '|';
  }
  bool any_ = true;
  std::vector<std::string> names_;
  std::optional<regex::Pattern> pattern_;
};

// A faulty one is told, and fits none.
Matching matching_of(const std::string& event, const claude::HookMatcher& matcher) {
  auto matching = Matching::of(matcher.matcher.value_or(""));
  if (matching) return *std::move(matching);
  log(LogLevel::warn, "a hook of the host fits no tool: its matcher is no regular expression",
      {{"event", event}, {"matcher", *matcher.matcher}, {"why", matching.error().message}});
  return Matching::none();
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
  Matching matching;

  bool fits(const std::string& tool) const { return tool.empty() || matching.fits(tool); }
};

HostHooks::HostHooks(claude::AgentSide& agent) : agent_(agent) {}
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

// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/claude/turn.h"

#include <algorithm>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/stop_reason.h"
#include "parlance/hub/conversation/usage.h"

namespace parlance::face {
namespace {

std::string limit_text(const std::optional<hub::event::Failure>& failure, std::optional<std::uint32_t> most_rounds) {
  if (most_rounds) return "Reached maximum number of turns (" + std::to_string(*most_rounds) + ")";
  return failure ? failure->message : "Reached maximum number of turns";
}

claude::TurnResult failed_with(std::string subtype, std::string terminal_reason, std::string text) {
  claude::TurnResult result{.subtype = std::move(subtype), .is_error = true, .terminal_reason = std::move(terminal_reason)};
  result.errors.json = json::to_text(json::Value(text.empty() ? json::Array{} : json::Array{json::Value(std::move(text))}));
  return result;
}

claude::TurnResult success(std::string text, std::string stop_reason, std::string terminal_reason = "completed") {
  return {.subtype = "success",
          .result = std::move(text),
          .stop_reason = std::move(stop_reason),
          .terminal_reason = std::move(terminal_reason)};
}

// "… refuses the request (400: …)": the format of an error from a model server.
std::optional<std::int64_t> status_of(const hub::event::Failure& failure) {
  const std::string& text = failure.message;
  for (auto at = text.find('('); at != std::string::npos; at = text.find('(', at + 1)) {
    if (text.size() < at + 5 || text[at + 4] != ':') continue;
    if (const auto status = parse_number<std::int64_t>(std::string_view(text).substr(at + 1, 3)); status && *status >= 400)
      return status;
  }
  return std::nullopt;
}

}  // namespace

std::string api_error_text(const hub::event::Failure& failure) { return "API Error: " + hub::failure_in_words(failure); }

std::string api_error_kind(const hub::event::Failure& failure) {
  const std::int64_t status = status_of(failure).value_or(0);
  if (status == 401 || status == 403) return "authentication_failed";
  if (status == 429) return "rate_limit";
  return status >= 500 ? "server_error" : "unknown";
}

claude::Usage claude_usage(const hub::event::Usage& usage) {
  const std::uint64_t read = usage.cache_read_tokens.value_or(0);
  const std::uint64_t written = usage.cache_write_tokens.value_or(0);
  return {.input_tokens = usage.input_tokens - std::min(usage.input_tokens, read + written),
          .output_tokens = usage.output_tokens,
          .cache_creation = written,
          .cache_read = read};
}

void ClaudeTurn::begin(TimePoint now) {
  started_ = now;
  failure_.reset();
  denials_.clear();
  cost_ = 0;
}

// Claude Code counts in US dollars; other currencies appear only in the model's usage.
void ClaudeTurn::used(const hub::event::Usage& usage, const std::string& model) {
  if (usage.cost && usage.cost->currency == "USD") cost_ += usage.cost->amount;
  const std::vector<hub::ModelUsage> model_usage{{.model = model,
                                                  .input_tokens = usage.input_tokens,
                                                  .output_tokens = usage.output_tokens,
                                                  .cache_read_tokens = usage.cache_read_tokens,
                                                  .cache_write_tokens = usage.cache_write_tokens,
                                                  .cost = usage.cost}};
  for (const hub::ModelUsage& more : usage.models.value_or(model_usage)) {
    hub::ModelUsage& all = by_model_[more.model];
    all.input_tokens += more.input_tokens;
    all.output_tokens += more.output_tokens;
    all.cache_read_tokens = all.cache_read_tokens.value_or(0) + more.cache_read_tokens.value_or(0);
    all.cache_write_tokens = all.cache_write_tokens.value_or(0) + more.cache_write_tokens.value_or(0);
    if (more.cost && more.cost->currency == "USD")
      all.cost = hub::Cost{.amount = (all.cost ? all.cost->amount : 0) + more.cost->amount};
  }
}

namespace {

// In Claude Code's format, cumulative for the process.
std::string model_usage_json(const std::map<std::string, hub::ModelUsage>& by_model) {
  json::Object all;
  for (const auto& [name, used] : by_model) {
    const std::uint64_t cached = used.cache_read_tokens.value_or(0) + used.cache_write_tokens.value_or(0);
    json::Object object;
    object.set("inputTokens", used.input_tokens - std::min(used.input_tokens, cached));
    object.set("outputTokens", used.output_tokens);
    object.set("cacheReadInputTokens", used.cache_read_tokens.value_or(0));
    object.set("cacheCreationInputTokens", used.cache_write_tokens.value_or(0));
    object.set("webSearchRequests", 0);
    object.set("costUSD", used.cost ? used.cost->amount : 0.0);
    all.set(name, std::move(object));
  }
  return json::to_text(json::Value(std::move(all)));
}

}  // namespace

void ClaudeTurn::denied(const std::string& tool, const std::string& call, const json::Value& input) {
  json::Object denial;
  denial.set("tool_name", tool);
  denial.set("tool_use_id", call);
  denial.set("tool_input", input);
  denials_.push_back(std::move(denial));
}

claude::TurnResult ClaudeTurn::result(const ClaudeTurnEnd& end, const ClaudeLines& lines,
                                      std::optional<std::uint32_t> most_rounds, const toolbox::StructuredOutput* output) const {
  using hub::StopReason;
  const auto made = [&]() -> claude::TurnResult {
    if ((end.stop == StopReason::end_turn || end.stop == StopReason::cancelled) && toolbox::has_failed(output))
      return failed_with("error_max_structured_output_retries", "structured_output_retry_exhausted", output->failure());
    switch (end.stop) {
      case StopReason::cancelled: {
        claude::TurnResult cut = failed_with("error_during_execution", end.in_tool ? "aborted_tools" : "aborted_streaming",
                                             "[Request interrupted by user]");
        if (end.in_tool) cut.stop_reason = "tool_use";
        return cut;
      }
      case StopReason::max_turns: {
        claude::TurnResult most = failed_with("error_max_turns", "max_turns", limit_text(failure_, most_rounds));
        most.stop_reason = "tool_use";
        return most;
      }
      case StopReason::error: {
        claude::TurnResult wrong = success(!failure_            ? "the turn failed"
                                           : end.of_claude_code ? failure_->message
                                                                : api_error_text(*failure_),
                                           "stop_sequence");
        wrong.is_error = true;
        if (failure_) wrong.api_error_status = status_of(*failure_);
        return wrong;
      }
      case StopReason::refusal: {
        claude::TurnResult refused = success(std::string(refusal_text), "refusal");
        refused.is_error = true;
        return refused;
      }
      case StopReason::max_tokens: return success(lines.last_text(), "max_tokens");
      case StopReason::end_turn: break;
    }
    if (end.hook_stopped) return success("", "tool_use", "hook_stopped");
    return success(lines.last_text(), "end_turn", end.stop_hook_stopped ? "stop_hook_prevented" : "completed");
  }();
  claude::TurnResult result = made;
  result.num_turns = lines.rounds();
  if (result.subtype == "success" && !result.is_error) result.structured_output.json = toolbox::answer_of(output);
  return result;
}

claude::TurnResult ClaudeTurn::without_turn(std::string subtype, std::string text, std::int64_t num_turns) {
  claude::TurnResult result;
  if (subtype == "success") result = {.subtype = std::move(subtype), .result = std::move(text)};
  else result = failed_with(std::move(subtype), "", std::move(text));
  if (result.terminal_reason && result.terminal_reason->empty()) result.terminal_reason.reset();
  result.num_turns = num_turns;
  return result;
}

void ClaudeTurn::complete(claude::TurnResult& result, const std::string& session_id, TimePoint now, const claude::Usage& usage) {
  result.session_id = session_id;
  const TimePoint began = std::exchange(started_, std::nullopt).value_or(now);
  result.duration_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now - began).count();
  result.duration_api_ms = 0;
  result.total_cost_usd = total_cost_ += cost_;
  result.usage = usage;
  result.model_usage.json = model_usage_json(by_model_);
  result.denials.json = json::to_text(json::Value(std::exchange(denials_, {})));
  result.uuid = make_uuid();
  cost_ = 0;
}

}  // namespace parlance::face

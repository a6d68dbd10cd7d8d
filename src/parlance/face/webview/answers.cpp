// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/webview/answers.h"

#include <algorithm>
#include <utility>

#include "parlance/adapter/acp/permission_choice.h"
#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/ask_options.h"

namespace parlance::face {
namespace {

using hub::OptionKind;
using webview::PlanOption;

constexpr std::string_view by_webview = "webview";

std::optional<webview::OptionKind> kind_of(OptionKind kind) {
  switch (kind) {
    case OptionKind::allow_once:
    case OptionKind::choice: return webview::OptionKind::allow_once;
    case OptionKind::allow_always: return webview::OptionKind::allow_always;
    case OptionKind::reject_once: return webview::OptionKind::reject_once;
    case OptionKind::reject_always: return webview::OptionKind::reject_always;
    case OptionKind::reject_and_stop:  // the effect of every rejection here
    case OptionKind::feedback: break;  // needs text
  }
  return std::nullopt;
}

WebviewAnswer with(const hub::Ask& ask, std::string option) {
  return {.given = {.digest = ask.digest, .option = std::move(option), .by = std::string(by_webview)}};
}

WebviewAnswer rejected(const hub::Ask& ask) {
  if (ask.kind == hub::AskKind::question) {
    WebviewAnswer answer = with(ask, std::string(hub::decline));
    answer.stop = true;
    return answer;
  }
  const hub::AskOption* const no =
      hub::first_option(ask, {OptionKind::reject_and_stop, OptionKind::reject_once, OptionKind::reject_always});
  if (no == nullptr) return {.stop = true};  // the stop withdraws the ask
  WebviewAnswer answer = with(ask, no->id);
  answer.stop = no->kind != OptionKind::reject_and_stop;
  return answer;
}

// Text, or a list of texts.
Result<std::vector<std::string>> words_in(const std::string& header, const wire::Raw& raw) {
  const json::Value value = json::parse_or_null(raw.json);
  std::vector<std::string> words;
  const auto add = [&words](const json::Value& answer) {
    const std::string* const text = answer.text();
    if (text != nullptr && !text->empty()) words.push_back(*text);
    return text != nullptr;
  };
  bool readable = add(value) || value.is_null();
  if (const json::Array* const list = value.array()) readable = std::ranges::all_of(*list, add);
  if (!readable) return fail(Errc::invalid_params, "$.answers[\"" + header + "\"]: expected a text, or a list of texts");
  return words;
}

hub::Mode mode_of(PlanOption option) { return option == PlanOption::smart ? hub::Mode::smart : hub::Mode::default_; }

}  // namespace

std::vector<webview::OfferedOption> webview_options(const hub::Ask& ask) {
  std::vector<webview::OfferedOption> options;
  for (const hub::AskOption& option : ask.options)
    if (const auto kind = kind_of(option.kind)) options.push_back({.option_id = option.id, .name = option.label, .kind = *kind});
  return options;
}

Result<WebviewAnswer> approval_of(const hub::Ask& ask, std::string_view outcome) {
  const auto meant = adapter::read_permission_outcome(outcome);
  if (!meant)
    return fail(Errc::invalid_params,
                "$.outcome: expected one of allow, alwaysAllow, alwaysAllowTool, alwaysAllowMcpServer, reject; nothing was "
                "decided");
  if (*meant == adapter::PermissionOutcome::reject) return rejected(ask);
  std::vector<adapter::OfferedOption> offered;
  for (const webview::OfferedOption& option : webview_options(ask))
    offered.push_back({.id = option.option_id, .name = option.name, .kind = std::string(wire::name_of(option.kind))});
  PARLANCE_TRY(choice, adapter::choose_option(*meant, offered));
  return with(ask, choice.option->id);
}

Result<WebviewAnswer> answers_of(const hub::Ask& ask, const std::map<std::string, wire::Raw>& answers) {
  std::vector<std::vector<std::string>> given;
  const std::vector<std::string> keys = hub::question_keys(ask);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    auto found = answers.find(keys[i]);
    if (found == answers.end()) found = answers.find((*ask.questions)[i].question);
    if (found == answers.end()) {
      given.emplace_back();
      continue;
    }
    PARLANCE_TRY(words, words_in(found->first, found->second));
    if (words.size() > 1 && !(*ask.questions)[i].multiple)
      return fail(Errc::invalid_params, "$.answers[\"" + found->first + "\"]: of these only one can be chosen");
    given.push_back(std::move(words));
  }
  if (std::ranges::all_of(given, &std::vector<std::string>::empty)) return with(ask, std::string(hub::decline));
  for (auto& answer : given)
    if (answer.empty()) answer.emplace_back(hub::not_answered);
  WebviewAnswer answer{.given = {.digest = ask.digest, .by = std::string(by_webview)}};
  answer.given.answers = std::move(given);
  return answer;
}

Result<PlanOption> plan_option_of(const webview::PlanAnswer& message) {
  if (message.option) return *message.option;
  if (message.approved) return *message.approved ? PlanOption::default_ : PlanOption::keep;
  return fail(Errc::invalid_params, "$.option: give one of smart, default, keep, feedback; or $.approved");
}

// Option ids of the seed agent define the meaning; for other agents the kind decides.
Result<WebviewAnswer> plan_answer_of(const hub::Ask& ask, PlanOption option, std::string_view feedback) {
  const bool words = !trim(feedback).empty();
  if (option == PlanOption::feedback && !words) return fail(Errc::invalid_params, "$.feedback: describe the wanted changes");
  const auto named = std::ranges::find(ask.options, wire::name_of(option), &hub::AskOption::id);
  const hub::AskOption* chosen = named != ask.options.end() ? &*named : nullptr;
  const bool yes = option == PlanOption::smart || option == PlanOption::default_;
  if (chosen == nullptr && option == PlanOption::smart)
    chosen = hub::first_option(ask, {OptionKind::allow_always, OptionKind::allow_once});
  if (chosen == nullptr && option == PlanOption::default_) chosen = hub::first_option(ask, {OptionKind::allow_once});
  if (chosen == nullptr && option == PlanOption::feedback) chosen = hub::first_option(ask, {OptionKind::feedback});
  if (chosen == nullptr && !yes) chosen = hub::first_option(ask, {OptionKind::reject_once, OptionKind::reject_always});
  if (chosen == nullptr)
    return fail(Errc::denied, "the agent offers nothing that means \"" + std::string(wire::name_of(option)) + "\"");
  WebviewAnswer answer = with(ask, chosen->id);
  if (words) answer.given.text = std::string(feedback);
  if (yes && named == ask.options.end()) answer.mode_after = mode_of(option);
  return answer;
}

}  // namespace parlance::face

#include "apps/parlance/run/terminal_asks.h"

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "parlance/base/text.h"

namespace parlance::app {
namespace {

bool refuses(const hub::Ask& ask, const hub::GivenAnswer& given) {
  if (given.option == hub::decline) return true;
  return std::ranges::any_of(ask.options, [&](const hub::AskOption& option) {
    return option.id == given.option &&
           (option.kind == hub::OptionKind::reject_once || option.kind == hub::OptionKind::reject_always);
  });
}
std::optional<std::string> first(const hub::Ask& ask, hub::OptionKind kind) {
  for (const hub::AskOption& option : ask.options)
    if (option.kind == kind) return option.id;
  return ask.options.empty() ? std::nullopt : std::optional(ask.options.back().id);
}

}  // namespace

Task<Result<void>> TerminalAsks::settle(hub::Ask ask) {
  // Told late, after somebody was asked something else for long: it may be settled by now.
  if (hub_.find_ask(ask.id) == nullptr) co_return Result<void>{};
  hub::GivenAnswer given{.digest = ask.digest, .by = "terminal"};
  if (approve_ != "ask") {
    given.by = "--approve " + approve_;
    const bool yes = approve_ == "all";
    if (ask.kind == hub::AskKind::question) given.option = std::string(hub::decline);  // nobody is there who could know
    else given.option = first(ask, yes ? hub::OptionKind::allow_once : hub::OptionKind::reject_once);
  } else if (ask.kind == hub::AskKind::question) {
    co_await ask_questions(ask, given);
  } else {
    co_await ask_options(ask, given);
  }
  // Told here and not by the end of the tool alone: not every agent tells how a refused tool ended.
  refused_ = refused_ || refuses(ask, given);
  const auto done = co_await hub_.answer(ask.id, std::move(given));
  if (!done && done.error().code != Errc::failed) co_return fail(done.error());  // failed: settled by somebody else meanwhile
  co_return Result<void>{};
}
// Empty at the end of input.
Task<std::optional<std::string>> TerminalAsks::read_line(std::string prompt) {
  output_.end_line();
  std::fprintf(stderr, "%s", prompt.c_str());
  co_return co_await input_.run([]() -> std::optional<std::string> {
    std::string line;
    if (!std::getline(std::cin, line)) return std::nullopt;
    return line;
  });
}

Task<void> TerminalAsks::ask_options(const hub::Ask& ask, hub::GivenAnswer& given) {
  output_.note("");
  output_.note(ask.title);
  if (!ask.why.empty()) output_.note("  " + ask.why);
  if (ask.detail && *ask.detail != ask.title) output_.note("  " + *ask.detail);
  if (ask.plan) output_.note(*ask.plan);
  if (ask.diff) output_.show_diff(*ask.diff);
  for (std::size_t i = 0; i < ask.options.size(); ++i) output_.note("  " + std::to_string(i + 1) + "  " + ask.options[i].label);
  for (;;) {
    const auto line = co_await read_line("? ");
    if (!line) {
      given.option = first(ask, hub::OptionKind::reject_once);
      co_return;
    }
    const auto number = parse_number<std::size_t>(trim(*line));
    if (!number || *number == 0 || *number > ask.options.size()) continue;
    const hub::AskOption& chosen = ask.options[*number - 1];
    given.option = chosen.id;
    if (chosen.kind == hub::OptionKind::feedback) given.text = (co_await read_line("What should be different? ")).value_or("");
    if (chosen.kind != hub::OptionKind::feedback || !given.text->empty()) co_return;
  }
}

Task<void> TerminalAsks::ask_questions(const hub::Ask& ask, hub::GivenAnswer& given) {
  for (const hub::Question& question : *ask.questions) {
    output_.note("");
    output_.note(question.question);
    for (std::size_t i = 0; i < question.options.size(); ++i)
      output_.note("  " + std::to_string(i + 1) + "  " + question.options[i].label +
                   (question.options[i].description.empty() ? "" : "  " + question.options[i].description));
    const auto line = co_await read_line(question.multiple ? "numbers, or your own words: " : "number, or your own words: ");
    if (!line || trim(*line).empty()) {
      given.answers.clear();
      given.option = std::string(hub::decline);
      co_return;
    }
    std::vector<std::string> answer;
    for (const std::string_view word : split(trim(*line), ' ')) {
      const auto number = parse_number<std::size_t>(trim(word));
      if (!number || *number == 0 || *number > question.options.size()) {
        answer = {std::string(trim(*line))};
        break;
      }
      answer.push_back(question.options[*number - 1].label);
    }
    if (!question.multiple && answer.size() > 1) answer.resize(1);
    given.answers.push_back(std::move(answer));
  }
}

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/terminal/terminal_asks.h"

#include <algorithm>
#include <string_view>

#include "parlance/async/scope.h"
#include "parlance/base/text.h"
#include "parlance/base/visible_text.h"
#include "parlance/hub/conversation/ask_options.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/hub/runtime/watcher.h"

namespace parlance::app {
namespace {

struct Letter {
  std::string_view letter;
  hub::OptionKind kind;
};
constexpr Letter letters[] = {{"y", hub::OptionKind::allow_once},
                              {"a", hub::OptionKind::allow_always},
                              {"n", hub::OptionKind::reject_once},
                              {"f", hub::OptionKind::feedback}};
constexpr std::size_t most_keys = 9;

bool refuses(const hub::Ask& ask, const hub::Answer& given) {
  if (given.option == hub::decline) return true;
  return std::ranges::any_of(ask.options, [&](const hub::AskOption& option) {
    return option.id == given.option &&
           (option.kind == hub::OptionKind::reject_once || option.kind == hub::OptionKind::reject_always);
  });
}
// Of several options, the option with the most later requests: agents list the freest choice of a plan first.
const hub::AskOption* careful_option(const hub::Ask& ask, hub::OptionKind kind) {
  const hub::AskOption* chosen = nullptr;
  for (const hub::AskOption& option : ask.options)
    if (option.kind == kind && (chosen == nullptr || (ask.kind == hub::AskKind::plan && chosen->id != "default")))
      chosen = &option;
  return chosen;
}

// Nothing: the request offers no such answer, and stays open.
std::optional<std::string> refusal(const hub::Ask& ask) {
  const hub::AskOption* const option = hub::refusing_option(ask);
  return option != nullptr ? std::optional(option->id) : std::nullopt;
}
std::optional<std::string> approval(const hub::Ask& ask) {
  const hub::AskOption* const once = careful_option(ask, hub::OptionKind::allow_once);
  return once != nullptr ? std::optional(once->id) : refusal(ask);
}

// The option chosen by the key or line `typed`: a number, or the letter shown by option_line.
const hub::AskOption* chosen(const hub::Ask& ask, std::string_view typed) {
  if (const auto number = parse_number<std::size_t>(typed); number && *number != 0 && *number <= ask.options.size())
    return &ask.options[*number - 1];
  for (const auto& [letter, kind] : letters)
    if (typed == letter) return careful_option(ask, kind);
  return nullptr;
}
std::string option_line(const hub::Ask& ask, std::size_t i) {
  std::string line = "  " + std::to_string(i + 1) + "  " + visible_line(ask.options[i].label, Reading::prose);
  for (const auto& [letter, kind] : letters)
    if (chosen(ask, letter) == &ask.options[i]) line += "  (" + std::string(letter) + ")";
  return line;
}

// Escape, or an arrow key: no word.
bool is_escape(std::string_view typed) { return typed.starts_with('\x1b'); }

}  // namespace

Task<Result<void>> TerminalAsks::settle(hub::Ask ask) {
  // The request may be settled by now, because another request took long.
  if (hub_.find_ask(ask.id) == nullptr) co_return Result<void>{};
  hub::Answer given{.digest = ask.digest, .by = "terminal"};
  if (approve_ != "ask") {
    given.by = "--approve " + approve_;
    const bool yes = approve_ == "all" && ask.kind != hub::AskKind::limit;             // approval does not cover usage limits
    if (ask.kind == hub::AskKind::question) given.option = std::string(hub::decline);  // no person is present to answer
    else given.option = yes ? approval(ask) : refusal(ask);
  } else {
    Scope watching(hub_.loop());
    watching.start(interrupt_when_settled(ask.id));
    const bool answered =
        ask.kind == hub::AskKind::question ? co_await ask_questions(ask, given) : co_await ask_options(ask, given);
    if (!answered && !is_open(ask.id)) output_.note("(settled meanwhile)");
    if (!answered) co_return Result<void>{};
  }
  // Noted here too, because some agents do not report the end of a refused tool.
  refused_ = refused_ || refuses(ask, given);
  const auto done = co_await hub_.submit(ask.conversation, hub::AnswerRequest{.request = ask.id, .answer = std::move(given)});
  if (!done && done.error().code != Errc::failed) co_return fail(done.error());  // failed: another client has answered meanwhile
  co_return Result<void>{};
}

bool TerminalAsks::is_open(const std::string& ask) const {
  const hub::Ask* const now = hub_.find_ask(ask);
  return now != nullptr && now->state == hub::AskState::open;
}

// Ends the wait for a key after an answer from another client, or after the loss of the agent's connection.
Task<void> TerminalAsks::interrupt_when_settled(std::string ask) {
  const auto watcher = hub_.watch();
  while (is_open(ask)) static_cast<void>(co_await watcher->next());
  console_.interrupt();
}

// Nothing runs between the check and the read, so no settlement falls between the two.
Task<Typed> TerminalAsks::key(const hub::Ask& ask, std::string prompt) {
  if (!is_open(ask.id)) co_return Typed{.kind = Typed::Kind::interrupted};
  co_return co_await console_.key(std::move(prompt));
}
Task<Typed> TerminalAsks::line(const hub::Ask& ask, std::string prompt) {
  if (!is_open(ask.id)) co_return Typed{.kind = Typed::Kind::interrupted};
  co_return co_await console_.line(std::move(prompt));
}

Task<bool> TerminalAsks::ask_options(const hub::Ask& ask, hub::Answer& given) {
  output_.note("");
  output_.note(visible_line(ask.title));
  if (!ask.why.empty()) output_.note("  " + visible_line(ask.why));
  if (ask.detail && *ask.detail != ask.title) output_.note("  " + *ask.detail);
  if (ask.plan) output_.note(*ask.plan, Reading::prose);
  if (ask.diff) output_.show_diff(*ask.diff);
  for (std::size_t i = 0; i < ask.options.size(); ++i) output_.note(option_line(ask, i), Reading::prose);
  console_.forget_typed();
  for (;;) {
    const Typed typed = ask.options.size() <= most_keys ? co_await key(ask, "? ") : co_await line(ask, "? ");
    if (typed.kind == Typed::Kind::interrupted) co_return false;
    if (typed.kind == Typed::Kind::ended) {
      given.option = refusal(ask);
      co_return true;
    }
    const hub::AskOption* const option = chosen(ask, trim(typed.text));
    if (option == nullptr) continue;
    given.option = option->id;
    if (option->kind != hub::OptionKind::feedback) co_return true;
    if (!co_await ask_feedback(ask, given)) co_return false;
    if (!given.text->empty()) co_return true;
  }
}
Task<bool> TerminalAsks::ask_feedback(const hub::Ask& ask, hub::Answer& given) {
  Typed typed = co_await line(ask, "What should be different? ");
  given.text = std::move(typed.text);
  co_return typed.kind != Typed::Kind::interrupted;
}

Task<bool> TerminalAsks::ask_questions(const hub::Ask& ask, hub::Answer& given) {
  for (const hub::Question& question : *ask.questions) {
    if (!co_await ask_question(ask, question, given)) co_return false;
    if (given.option) co_return true;  // declined
  }
  co_return true;
}
Task<bool> TerminalAsks::ask_question(const hub::Ask& ask, const hub::Question& question, hub::Answer& given) {
  output_.note("");
  output_.note(question.question, Reading::prose);
  for (std::size_t i = 0; i < question.options.size(); ++i)
    output_.note(visible_line("  " + std::to_string(i + 1) + "  " + question.options[i].label +
                                  (question.options[i].description.empty() ? "" : "  " + question.options[i].description),
                              Reading::prose),
                 Reading::prose);
  console_.forget_typed();
  const bool by_key = !question.multiple && !question.options.empty() && question.options.size() <= most_keys;
  Typed typed = by_key              ? co_await key(ask, "number, or o for your own words: ")
                : question.multiple ? co_await line(ask, "numbers, or your own words: ")
                                    : co_await line(ask, "your own words: ");
  if (by_key && typed.text == "o") typed = co_await line(ask, "your own words: ");
  if (typed.kind == Typed::Kind::interrupted) co_return false;
  const std::string words(trim(typed.text));
  if (typed.kind == Typed::Kind::ended || words.empty() || is_escape(words)) {
    given.answers.clear();
    given.option = std::string(hub::decline);
    co_return true;
  }
  std::vector<std::string> answer;
  for (const std::string_view word : split(words, ' ')) {
    const auto number = parse_number<std::size_t>(trim(word));
    if (!number || *number == 0 || *number > question.options.size()) {
      answer = {words};
      break;
    }
    answer.push_back(question.options[*number - 1].label);
  }
  if (!question.multiple && answer.size() > 1) answer.resize(1);
  given.answers.push_back(std::move(answer));
  co_return true;
}

}  // namespace parlance::app

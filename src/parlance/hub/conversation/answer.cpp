// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/conversation/answer.h"

#include <algorithm>
#include <utility>

namespace parlance::hub {

std::string how_settled(const Ask& ask) {
  std::string text = "this was settled already: " + std::string(to_string(ask.state));
  if (ask.chosen) text += " " + *ask.chosen;
  if (ask.by) text += " by " + *ask.by;
  return text;
}

Result<AskAnswer> checked_answer(const Ask& ask, const Answer& given) {
  AskAnswer answer{.text = given.text.value_or(""), .by = given.by};
  if (ask.kind == AskKind::question && !given.option) {
    if (given.answers.size() != ask.questions->size()) return fail(Errc::invalid_params, "every question needs an answer");
    for (std::size_t i = 0; i < given.answers.size(); ++i) {
      const auto& choices = given.answers[i];
      const bool empty = choices.empty() || std::ranges::all_of(choices, &std::string::empty);
      if (empty) return fail(Errc::invalid_params, "every question needs an answer");
      if (choices.size() > 1 && !(*ask.questions)[i].multiple)
        return fail(Errc::invalid_params, "only one answer: " + (*ask.questions)[i].question);
    }
    answer.answers = given.answers;
    answer.kind = OptionKind::choice;
    return answer;
  }
  if (!given.option) return fail(Errc::invalid_params, "an option is needed");
  answer.option = *given.option;
  if (ask.kind == AskKind::question && answer.option == decline) {
    answer.kind = OptionKind::reject_once;
    return answer;
  }
  const auto option = std::ranges::find(ask.options, answer.option, &AskOption::id);
  if (option == ask.options.end()) return fail(Errc::invalid_params, "no such option: " + answer.option);
  answer.kind = option->kind;
  if (option->kind == OptionKind::feedback && answer.text.empty()) return fail(Errc::invalid_params, "feedback needs a text");
  return answer;
}

Result<void> take_edit(const Ask& ask, std::string_view folder, const Answer& given, AskAnswer& answer) {
  answer.digest = ask.digest;
  if (!given.edited) return {};
  if (!answer.allowed()) return fail(Errc::invalid_params, "changes count only for what is allowed");
  PARLANCE_TRY(changed, with_edit(ask, *given.edited));
  answer.edited = given.edited;
  answer.digest = digest_of(changed, folder);
  return {};
}

}  // namespace parlance::hub

// SPDX-License-Identifier: Apache-2.0
// The parts of a request that frontends use for answers: options by kind, and keys of questions. Values; any thread.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/conversation/ask.h"

namespace parlance::hub {

// The answer to a question without an answer of the person, if other questions of the same request have one.
inline constexpr std::string_view not_answered = "(not answered)";

// The option of the first kind that the request offers. Null: none.
inline const AskOption* first_option(const Ask& ask, std::initializer_list<OptionKind> by_preference) {
  for (const OptionKind kind : by_preference)
    if (const auto found = std::ranges::find(ask.options, kind, &AskOption::kind); found != ask.options.end()) return &*found;
  return nullptr;
}

// For a refusal without a person's choice: no answer, an end of input, an unreadable answer. Null: the request offers no refusal. No
// other option may take its place.
inline const AskOption* refusing_option(const Ask& ask) {
  return first_option(ask, {OptionKind::reject_once, OptionKind::reject_always, OptionKind::reject_and_stop});
}

// Empty for a request of another kind.
inline const std::vector<Question>& questions_in(const Ask& ask) {
  static const std::vector<Question> none;
  return ask.questions ? *ask.questions : none;
}

// Headers, or questions without a header, as unique keys of answers: "Base", "Base (2)".
inline std::vector<std::string> question_keys(const Ask& ask) {
  std::vector<std::string> keys;
  for (const Question& question : questions_in(ask)) {
    std::string key = question.header.empty() ? question.question : question.header;
    while (std::ranges::find(keys, key) != keys.end()) key += " (" + std::to_string(keys.size() + 1) + ")";
    keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace parlance::hub

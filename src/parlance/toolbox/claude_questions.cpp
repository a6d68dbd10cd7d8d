// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/claude_questions.h"

namespace parlance::toolbox {

std::vector<hub::Question> claude_questions(const json::Array& asked) {
  std::vector<hub::Question> questions;
  for (const json::Value& element : asked) {
    hub::Question question{.header = std::string(element.text_or("header", "")),
                           .question = std::string(element.text_or("question", "")),
                           .multiple = element.boolean_or("multiSelect", false)};
    if (const json::Value* options = element.find("options"); options != nullptr && options->array() != nullptr)
      for (const json::Value& option : *options->array())
        question.options.push_back(
            {.label = std::string(option.text_or("label", "")), .description = std::string(option.text_or("description", ""))});
    questions.push_back(std::move(question));
  }
  return questions;
}

}  // namespace parlance::toolbox

// SPDX-License-Identifier: Apache-2.0
// Separates reasoning in the answer as <think>…</think> (DeepSeek R1, QwQ and others behind plain servers). Sans-I/O: pieces of
// text in, pieces of reasoning and text out. An incomplete tag is held back until completion.
//
// An opening tag counts at the very beginning of the answer and directly after a closed block, never later: an answer about the tag
// must stay complete.
//
// Chat templates with the opening tag in the prompt leave a lone closing tag in the answer. The first lone tag at the end of a line,
// outside of Markdown code, is dropped. Earlier text stays text.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "parlance/base/result.h"

namespace parlance::model {

class ThinkTags {
 public:
  using Take = std::function<Result<void>(std::string_view piece)>;
  ThinkTags(Take reasoning, Take text) : reasoning_(std::move(reasoning)), text_(std::move(text)) {}

  Result<void> feed(std::string_view piece);
  Result<void> finish();  // Returns the held text.

 private:
  enum class State { before, inside, text };
  Result<bool> step();                        // false: needs more
  Result<void> pass_text();                   // held_, but for a lone closing tag
  Result<void> emit_text(std::size_t bytes);  // of held_

  State state_ = State::before;
  bool lone_tag_ = true;  // not seen so far
  bool in_code_ = false;  // Markdown: behind an odd number of backticks
  std::string held_;
  std::string_view closing_;
  Take reasoning_;
  Take text_;
};

}  // namespace parlance::model

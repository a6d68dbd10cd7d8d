// SPDX-License-Identifier: Apache-2.0
// Separates reasoning in the answer as <think>…</think> (DeepSeek R1, QwQ and others behind plain servers). Sans-I/O: pieces of
// text in, pieces of reasoning and text out. An incomplete tag is held back until it is complete.
//
// A tag counts at the very beginning of the answer and directly after a closed block only: an answer that explains the tag must
// not lose half of itself.
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
  Result<bool> step();  // False: more input is needed.

  State state_ = State::before;
  std::string held_;
  std::string_view closing_;
  Take reasoning_;
  Take text_;
};

}  // namespace parlance::model

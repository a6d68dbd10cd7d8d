// SPDX-License-Identifier: Apache-2.0
// How an agent tells a model what it remembers: one system message that says what it is, one line for each memory. Written by
// agent/recall, read by the rehearsal, which shows a person what a language model would have been told. Values; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/model/model.h"

namespace parlance::model {

struct Remembered {
  std::string id{};
  std::string category{};
  std::string text{};  // one line: breaks become blanks, so that no memory can look like another, or like ours
  friend bool operator==(const Remembered&, const Remembered&) = default;
};

Message remembered_message(std::span<const Remembered> memories);
std::vector<Remembered> remembered_in(const Message& message);  // empty: it is another message

std::string on_one_line(std::string_view text);

}  // namespace parlance::model

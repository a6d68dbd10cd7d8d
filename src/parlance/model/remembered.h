// SPDX-License-Identifier: Apache-2.0
// The agent's memories as text for a model: one system message with an introduction, one line for each memory. Written by
// agent/recall, and read by the rehearsal, which shows a person the text for a language model. Values; any thread.
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
  std::string text{};  // One line: line ends become blanks, so that no memory can look like another, or like our own text.
  friend bool operator==(const Remembered&, const Remembered&) = default;
};

Message remembered_message(std::span<const Remembered> memories);
std::vector<Remembered> remembered_in(const Message& message);  // Empty: another message.

std::string on_one_line(std::string_view text);

}  // namespace parlance::model

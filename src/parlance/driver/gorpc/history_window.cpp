// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/gorpc/history_window.h"

#include <algorithm>

#include "parlance/model/too_long.h"

namespace parlance::driver {
namespace {

std::size_t size_of(const hub::ChatMessage& message) {
  std::size_t bytes = message.content.size();
  for (const hub::ToolCall& call : message.calls) bytes += call.arguments_json.size();
  for (const hub::ToolResult& result : message.results) bytes += result.text.size();
  return bytes;
}

}  // namespace

void HistoryWindow::fit(std::vector<hub::ChatMessage>& history, const std::string& model) {
  if (model != model_) *this = {};
  model_ = model;
  sent_bytes_ = 0;
  for (const hub::ChatMessage& message : history) sent_bytes_ += size_of(message);
  const auto next_prompt = [&history](auto from) {
    return std::ranges::find(from, history.end(), hub::Role::user, &hub::ChatMessage::role);
  };
  auto kept = history.begin();
  auto next = history.empty() ? history.end() : next_prompt(kept + 1);
  while (sent_bytes_ > most_bytes_ && next != history.end()) {
    while (kept != next) sent_bytes_ -= size_of(*kept++);
    next = next_prompt(kept + 1);
  }
  sent_several_turns_ = next != history.end();
  if (kept == history.begin()) return;
  history.erase(history.begin(), kept);
  history.front().after_others = true;
}

bool HistoryWindow::is_limited(const std::string& model) const {
  return model == model_ && most_bytes_ != std::numeric_limits<std::size_t>::max();
}

bool HistoryWindow::shrink(const Error& error) {
  if (!sent_several_turns_ || !model::is_too_long(error)) return false;
  most_bytes_ = sent_bytes_ / 2;
  return true;
}

}  // namespace parlance::driver

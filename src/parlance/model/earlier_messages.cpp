// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/earlier_messages.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

namespace parlance::model {

// A recursion through thousands of parts would exhaust the stack.
EarlierMessages::~EarlierMessages() {
  auto next = std::move(before);
  while (next != nullptr && next.use_count() == 1) next = std::exchange(next->before, nullptr);
}

void take_in_earlier(ChatRequest& request) {
  const std::shared_ptr<EarlierMessages> earlier = std::exchange(request.earlier, nullptr);
  if (earlier == nullptr) return;
  std::vector<const EarlierMessages*> parts;
  std::size_t count = request.messages.size();
  for (const EarlierMessages* part = earlier.get(); part != nullptr; part = part->before.get()) {
    parts.push_back(part);
    count += part->messages.size();
  }
  std::vector<Message> all;
  all.reserve(count);
  const auto middle = request.messages.begin() + static_cast<std::ptrdiff_t>(request.earlier_at);
  std::move(request.messages.begin(), middle, std::back_inserter(all));
  for (const EarlierMessages* part : parts | std::views::reverse)
    all.insert(all.end(), part->messages.begin(), part->messages.end());
  std::move(middle, request.messages.end(), std::back_inserter(all));
  request.messages = std::move(all);
  request.earlier_at = 0;
}

}  // namespace parlance::model

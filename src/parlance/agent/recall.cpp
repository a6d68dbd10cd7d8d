// SPDX-License-Identifier: Apache-2.0
#include "parlance/agent/recall.h"

#include <algorithm>

#include "parlance/agent/limits.h"
#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/memory/limits.h"
#include "parlance/model/history.h"

namespace parlance::agent {
namespace {

double boost_of(memory::Category category) {
  switch (category) {
    case memory::Category::decision: return 0.2;
    case memory::Category::preference: return 0.15;
    case memory::Category::fact: return 0.1;
    case memory::Category::entity: return 0.05;
    case memory::Category::other: return 0;
  }
  return 0;
}

double use_of(const memory::Hit& hit) { return hit.score * (1 + hit.entry.importance) * (1 + boost_of(hit.entry.category)); }

std::string cut(std::string text) {
  if (text.size() <= limits::recall_entry_bytes) return text;
  return std::string(utf8_prefix(text, limits::recall_entry_bytes)) + "…";
}

}  // namespace

std::vector<memory::Hit> by_use(std::vector<memory::Hit> hits) {
  std::vector<std::pair<double, std::size_t>> order;
  for (const memory::Hit& hit : hits) order.emplace_back(-use_of(hit), order.size());
  std::ranges::sort(order);
  std::vector<memory::Hit> sorted;
  for (const auto& [use, index] : order) sorted.push_back(std::move(hits[index]));
  return sorted;
}

std::vector<model::Remembered> within_limits(const std::vector<memory::Hit>& hits) {
  std::vector<model::Remembered> found;
  std::size_t bytes = 0;
  for (const memory::Hit& hit : hits) {
    if (found.size() == limits::recall_entries) break;
    model::Remembered remembered{.id = hit.entry.id,
                                 .category = std::string(to_string(hit.entry.category)),
                                 .text = cut(model::on_one_line(hit.entry.text))};
    if (bytes + remembered.text.size() > limits::recall_bytes) continue;
    bytes += remembered.text.size();
    found.push_back(std::move(remembered));
  }
  return found;
}

Task<void> Recall::add_to(std::vector<model::Message>& messages, std::string user) {
  const std::size_t after = model::loop_start(messages);
  if (after == 0) co_return;
  const std::size_t at = after - 1;  // the person's last message
  std::string said(utf8_prefix(trim(messages[at].content), limits::memory_query_bytes));
  if (said.empty()) co_return;
  if (after == messages.size()) keep({.user = user, .said = said, .found = co_await find(user, said)});
  const auto kept = std::ranges::find_if(kept_, [&](const Kept& candidate) { return candidate.is_of(user, said); });
  if (kept != kept_.end() && !kept->found.empty())
    messages.insert(messages.begin() + static_cast<std::ptrdiff_t>(at), model::remembered_message(kept->found));
}

Task<std::vector<model::Remembered>> Recall::find(std::string user, std::string said) {
  // Twice the wanted number: `by_use` then picks the useful entries, which are not always the most similar.
  auto search = memory_.search(std::move(user), {.text = std::move(said), .limit = 2 * limits::recall_entries});
  const auto hits = co_await with_deadline(loop_, loop_.now() + limits::recall_time, std::move(search));
  if (!hits) {
    if (!std::exchange(failing_, true)) log(LogLevel::warn, "answering without memory", {{"why", hits.error().message}});
    co_return std::vector<model::Remembered>{};
  }
  failing_ = false;
  co_return within_limits(by_use(*hits));
}

void Recall::keep(Kept fresh) {
  std::erase_if(kept_, [&](const Kept& kept) { return kept.is_of(fresh.user, fresh.said); });
  kept_.push_back(std::move(fresh));
  if (kept_.size() > limits::recall_kept) kept_.pop_front();
}

}  // namespace parlance::agent

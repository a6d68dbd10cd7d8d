// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/watcher.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/runtime/change.h"

namespace parlance::hub {

void Watchers::publish(const ChangePtr& change, std::size_t bytes) {
  for (Watcher* watcher : all_) watcher->take(change, bytes);
}

Watcher::Watcher(std::shared_ptr<Watchers> all, Loop& loop, Signal* wake, ChangeFilter filter)
    : all_(std::move(all)), changed_(loop), wake_(wake), filter_(std::move(filter)) {
  all_->all_.push_back(this);
}

Watcher::~Watcher() { std::erase(all_->all_, this); }

Task<std::vector<ChangePtr>> Watcher::next() {
  while (queue_.empty()) co_await changed_.wait();
  bytes_ = 0;
  lost_ = false;
  co_return std::exchange(queue_, {});
}

void Watcher::take(const ChangePtr& change, std::size_t bytes) {
  if (!filter_) return push(change, bytes);
  ChangePtr filtered = filter_(change);
  if (filtered == nullptr || lost_) return;
  if (std::holds_alternative<change::Resync>(*filtered)) return overflow();
  push(std::move(filtered), bytes);
}

void Watcher::push(ChangePtr change, std::size_t bytes) {
  if (lost_) return;
  if (queue_.size() >= limits::watcher_changes || bytes_ + bytes > limits::watcher_bytes) return overflow();
  bytes_ += bytes;
  queue_.push_back(std::move(change));
  notify();
}

void Watcher::overflow() {
  static const ChangePtr resync = std::make_shared<const Change>(change::Resync{});
  queue_.assign(1, resync);
  lost_ = true;
  ++all_->resyncs_;
  notify();
}

void Watcher::notify() {
  changed_.notify_all();
  if (wake_ != nullptr) wake_->notify_all();
}

}  // namespace parlance::hub

// SPDX-License-Identifier: Apache-2.0
#include "parlance/sqlite/run.h"

#include <sqlite3.h>

namespace parlance::sqlite {

bool Run::stop(State why) {
  State expected = State::going;
  if (!state_.compare_exchange_strong(expected, why)) return false;
  const std::lock_guard lock(mutex_);
  if (handle_ != nullptr) sqlite3_interrupt(handle_);
  return true;
}

bool Run::may_go_on() {
  const State now = state();
  if (now == State::committing) return true;
  if (now == State::going && (deadline_ == never || Clock::now() < deadline_)) return true;
  State expected = State::going;
  state_.compare_exchange_strong(expected, State::timed_out);
  return false;
}

bool Run::begin_commit() {
  if (!may_go_on()) return false;
  State expected = State::going;
  return state_.compare_exchange_strong(expected, State::committing) || expected == State::committing;
}

void Run::attach(sqlite3* handle) {
  const std::lock_guard lock(mutex_);
  handle_ = handle;
}

void Run::detach() {
  const std::lock_guard lock(mutex_);
  handle_ = nullptr;
}

}  // namespace parlance::sqlite

// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/notifier.h"

#include <utility>

namespace parlance::store {

Notifier::Notifier(Loop& loop, pg::ConnectSettings settings, const pg::Interrupt& interrupt, std::string hub)
    : hub_(std::move(hub)), session_(std::move(settings), interrupt), worker_(loop, "hub-notices") {}

void Notifier::notify(Notice notice) {
  if (notice.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    const bool is_waited_for = !waiting_.empty();
    waiting_.add(std::move(notice));
    if (is_waited_for) return;
  }
  worker_.submit([this] { send(); });
}

Task<void> Notifier::finish(Notice last) {
  notify(std::move(last));
  co_await worker_.run([] {});
}

void Notifier::send() {
  Notice notice;
  {
    const std::lock_guard lock(mutex_);
    std::swap(notice, waiting_);
  }
  for (const std::string& payload : payloads_of(notice, hub_))
    static_cast<void>(session_.read(pg::Statement{.sql = "SELECT pg_notify($1, $2)", .parameters = {notice_channel, payload}}));
}

}  // namespace parlance::store

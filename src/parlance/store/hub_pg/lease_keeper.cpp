// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/lease_keeper.h"

#include <algorithm>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/process/child_guard.h"
#include "parlance/store/hub_pg/limits.h"

namespace parlance::store {
namespace {

// The loop's clock stops during sleep of the machine; the lease does not.
constexpr auto longest_sleep = std::chrono::seconds(1);

// People see a skew in displayed times, and certificates and tokens fail at this size.
constexpr auto reported_skew = std::chrono::seconds(60);

}  // namespace

LeaseKeeper::LeaseKeeper(Loop& loop, LeaseRows rows, Lease::Settings settings, OnLost on_lost)
    : loop_(loop),
      lease_(settings),
      on_lost_(std::move(on_lost)),
      rows_(std::move(rows)),
      worker_(loop, "hub-lease"),
      scope_(loop) {}

LeaseKeeper::~LeaseKeeper() = default;

Task<Result<void>> LeaseKeeper::join() {
  const Lease::Time sent = since_boot();
  PARLANCE_CO_TRY(joined, co_await worker_.run([rows = &rows_] { return rows->join(); }));
  if (!joined)
    co_return fail(Errc::failed, "another gateway declared this gateway dead before the start: start the gateway again");
  note_time(*joined, sent);
  lease_.renewed(sent, since_boot());
  note_limit();
  check();
  co_return Result<void>{};
}

Task<Result<void>> LeaseKeeper::leave() {
  over_ = true;
  Timer::stop();
  co_return co_await worker_.run([rows = &rows_] { return rows->leave(); });
}

void LeaseKeeper::on_timer() { check(); }

void LeaseKeeper::check() {
  if (over_) return;
  const Lease::Time now = since_boot();
  if (lease_.state(now) == Lease::State::lost) return lose("the lease was not renewed in time");
  if (lease_.wants_renewal(now)) scope_.start(renew());
  const auto wait = std::clamp<Lease::Time>(lease_.next_look(now) - now, std::chrono::milliseconds(1), longest_sleep);
  Timer::start(loop_, Clock::now() + std::chrono::duration_cast<Duration>(wait));
}

Task<void> LeaseKeeper::renew() {
  const Lease::Time sent = since_boot();
  lease_.renewal_sent(sent);
  const Result<std::optional<WallTime>> done = co_await worker_.run([rows = &rows_] { return rows->renew(); });
  if (over_) co_return;
  if (!done) {
    lease_.renewal_failed(since_boot());
    log(LogLevel::warn, "the lease could not be renewed", {{"why", done.error().message}});
  } else if (*done) {
    note_time(**done, sent);
    lease_.renewed(sent, since_boot());
    note_limit();
  } else {
    lease_.found_dead();
    co_return lose("another gateway took this one for dead");
  }
  check();
}

void LeaseKeeper::note_limit() {
  limit_ = lease_.limit()->count();
  guard_limit(*lease_.limit());
}

void LeaseKeeper::note_time(WallTime time, Lease::Time sent) {
  database_clock_.take(time, sent, since_boot());
  const auto ahead = std::chrono::duration_cast<std::chrono::seconds>(wall_now() - *database_time());
  const bool is_skewed = std::chrono::abs(ahead) > reported_skew;
  if (is_skewed == std::exchange(skew_reported_, is_skewed)) return;
  if (is_skewed)
    log(LogLevel::warn, "the clocks of this machine and of the database differ: the gateway uses the database's; set both by NTP",
        {{"ahead_s", std::to_string(ahead.count())}});
  else log(LogLevel::info, "the clocks of this machine and of the database agree again");
}

void LeaseKeeper::lose(const std::string& reason) {
  over_ = true;
  limit_ = 0;
  Timer::stop();
  on_lost_(reason);
}

}  // namespace parlance::store

// SPDX-License-Identifier: Apache-2.0
// What other hubs do, as the database shows it: woken by NOTIFY, and by comparing all revisions from time to time, which finds what no notice
// told. Behind a pooler no notice arrives; then comparing is all there is, and it is done more often. Blocking; one thread at a time, but
// for what says otherwise.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/pg/connection.h"
#include "parlance/store/hub_pg/following.h"
#include "parlance/store/hub_pg/notices.h"
#include "parlance/store/hub_pg/seen_rows.h"

namespace parlance::store {

using Revisions = std::map<std::string, std::int64_t, std::less<>>;  // of conversations

class Feed {
 public:
  struct Settings {
    pg::ConnectSettings connect{};
    std::string hub{};
    std::string lease{};  // an interval
    bool hears = true;    // false: as behind a pooler
    Duration compare{};   // how often, when notices arrive
  };
  struct Brought {
    hub::News news{};
    bool outcomes = false;    // commands were done
    std::string went_back{};  // a conversation whose row is older than one that was seen before; empty: none
  };
  Feed(Settings settings, const pg::Interrupt& interrupt) : settings_(std::move(settings)), interrupt_(interrupt) {}

  void begin(Revisions loaded, std::uint64_t standing);  // news are what differs from this
  Result<Brought> next();                                // waits until something may be new, and not longer than comparing is due

  Following state() const { return state_; }                                             // Any thread.
  WallTime since() const { return WallTime(std::chrono::milliseconds(since_.load())); }  // Any thread: when it became so.

 private:
  struct Known {
    std::int64_t revision = 0;
    bool free = false;
  };
  Result<void> connect();
  void become(Following state);
  Result<Notice> wait();
  Result<void> compare(Brought& brought, std::vector<std::string>& wanted);
  Result<void> compare_all(Brought& brought, std::vector<std::string>& wanted);
  void compare_row(const pg::Rows& rows, std::size_t row, Brought& brought, std::vector<std::string>& wanted);
  Result<void> gather(const Notice& notice, Brought& brought);
  void forget(const hub::News& news);  // it could not be told: comparing finds it again
  void take(const Notice& notice, hub::News& news, std::vector<std::string>& wanted);
  Result<void> look_at_places(hub::News& news);
  Result<void> fetch(std::vector<std::string> wanted, const Notice& notice, hub::News& news);
  Result<std::vector<pg::Rows>> run(const std::vector<pg::Statement>& statements);

  Settings settings_;
  const pg::Interrupt& interrupt_;
  std::unique_ptr<pg::Connection> connection_;
  std::atomic<Following> state_ = Following::off;
  std::atomic<std::int64_t> since_ = wall_now().time_since_epoch().count();
  TimePoint next_compare_{};
  std::map<std::string, Known, std::less<>> known_;
  std::string sums_;  // of all conversations when all were compared; empty: they have to be
  std::uint64_t standing_ = 0;
  std::vector<hub::PlaceAt> places_;
};

}  // namespace parlance::store

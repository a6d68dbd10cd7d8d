// SPDX-License-Identifier: Apache-2.0
// A hub's lease: the time for which the hub may act. Other hubs may take its conversations after the lease in the database ends.
// The hub stops well before, counted from the send time of the last successful renewal. The database counts from its later write
// time, so the hub's own limit always ends first, whatever the network's delays.
//
// Sans-I/O: times in, decisions out. All times are since_boot(). One thread at a time.
#pragma once

#include <chrono>
#include <optional>

#include "parlance/store/hub_pg/limits.h"

namespace parlance::store {

// Time since boot, sleep of the machine included (CLOCK_BOOTTIME): the leases of sleeping machines expire too.
std::chrono::nanoseconds since_boot();

class Lease {
 public:
  using Time = std::chrono::nanoseconds;
  struct Settings {
    Time length = limits::lease;           // in the database
    Time own = limits::lease_own;          // after which this hub stops
    Time renewal = limits::lease_renewal;  // between two renewals
  };
  enum class State { joining, alive, lost };

  explicit Lease(Settings settings) : settings_(settings) {}
  // The times of the constructor.
  const Settings& settings() const { return settings_; }

  // The database wrote this hub's row: request sent at `sent`, answer received at `now`. A late answer has no effect.
  void renewed(Time sent, Time now);
  // No further renewal is wanted until `renewed` or `renewal_failed`.
  void renewal_sent(Time now);
  void renewal_failed(Time now);       // the next renewal is due after a short pause
  void found_dead() { lost_ = true; }  // another hub marked this hub dead

  // `joining` before the first `renewed`; `lost` from the limit on, and for good.
  State state(Time now) const;
  // A renewal is due, and none is on its way.
  bool wants_renewal(Time now) const;
  // No action is allowed after this time, or before the lease exists.
  std::optional<Time> limit() const { return limit_; }
  // The time of the next decision.
  Time next_look(Time now) const;

 private:
  Settings settings_;
  std::optional<Time> limit_;
  Time next_renewal_{};
  bool renewal_pending_ = false;
  bool lost_ = false;
};

}  // namespace parlance::store

// SPDX-License-Identifier: Apache-2.0
// A hub's lease: how long it may take itself for alive. Others may take its conversations once the lease in the database is over; it stops
// well before that by itself, counted from the sending of the last renewal that succeeded. The database counts from when it wrote that down,
// which is later: so its own limit comes first, whatever the network did in between.
//
// Sans-I/O: times in, decisions out. All times are since_boot(). One thread at a time.
#pragma once

#include <chrono>
#include <optional>

#include "parlance/store/hub_pg/limits.h"

namespace parlance::store {

// Since the machine started, its sleep included (CLOCK_BOOTTIME): what others count does not wait for us to wake.
std::chrono::nanoseconds since_boot();

class Lease {
 public:
  using Time = std::chrono::nanoseconds;
  struct Settings {
    Time length = limits::lease;
    Time own = limits::lease_own;
    Time renewal = limits::lease_renewal;
  };
  enum class State { joining, alive, lost };

  explicit Lease(Settings settings) : settings_(settings) {}
  const Settings& settings() const { return settings_; }

  // Our row was written, or written anew: asked for at `sent`, heard of at `now`. Heard too late it changes nothing.
  void renewed(Time sent, Time now);
  void renewal_sent(Time now);
  void renewal_failed(Time now);       // the next is due after a moment
  void found_dead() { lost_ = true; }  // somebody took us for dead

  State state(Time now) const;
  bool wants_renewal(Time now) const;
  // From here on nothing may be done in the name of this lease; nothing before it was joined.
  std::optional<Time> limit() const { return limit_; }
  // When something is to be decided next.
  Time next_look(Time now) const;

 private:
  Settings settings_;
  std::optional<Time> limit_;
  Time next_renewal_{};
  bool on_its_way_ = false;
  bool lost_ = false;
};

}  // namespace parlance::store

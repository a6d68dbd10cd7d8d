// SPDX-License-Identifier: Apache-2.0
// How often each fault occurs in a simulation. Probabilities are per call of the store, per step of a person, or per step of an agent.
#pragma once

#include "parlance/base/clock.h"

namespace parlance::simulator {

using namespace std::chrono_literals;

struct Faults {
  // Store
  double crash_before_write = 0.002;  // the process dies, and the write has no effect
  double crash_after_write = 0.002;   // the process dies, and the write has its effect
  double crash_before_call = 0.0005;  // the same for each other call that changes the store
  double crash_after_call = 0.0005;
  double refused_call = 0.01;  // an error, and no effect
  double lost_outcome = 0.05;  // of a command, an outcome or a connected runner: an error, though the store has it
  double slow_call = 0.05;
  Duration slowest_call = 4s;
  double lost_wake_ups = 0.2;  // the chance of a period without notifications, each minute
  double stall = 0.03;         // the chance of a period without an outcome of any call, each minute
  Duration longest_stall = 90s;
  double full_store = 0.03;  // the chance of a period without room for writes, each minute
  Duration longest_full_store = 90s;

  // Gateways
  Duration crash_interval = 7min;  // of each gateway, on average
  Duration longest_outage = 40s;   // until its next start
  double graceful_end = 0.3;       // of the ends that are no crash at a write
  double late_notice = 0.3;        // of the crashes: the gateway lives on for a moment after the end of its lease
  double split_brain = 0.2;        // of the crashes: the gateway lives on for a long time after the end of its lease
  Duration longest_split_brain = 5min;
  Duration largest_clock_skew = 90s;     // of its wall clock
  Duration clock_jump_interval = 10min;  // of each wall clock, on average

  // Agents, for each step of a turn
  double dying_agent = 0.02;
  double hanging_agent = 0.02;  // until a person stops the turn
  double lying_agent = 0.05;    // events that no turn may contain
  double refusing_agent = 0.1;  // of an option

  // Connections of pages and runners, for each frame
  double cut_connection = 0.003;
  double lost_change = 0.002;  // of a page: the gateway cannot send the change, and the page sees the gap at the next change
  double late_frame = 0.02;
  Duration latest_frame = 3s;
  double idle_reader = 0.001;  // nothing is read for a while
  Duration longest_idleness = 60s;

  // Runners
  Duration runner_crash_interval = 10min;  // of each runner, on average
  double lying_runner = 0.5;               // of the connections; the others are honest
  double lie = 0.02;                       // for each message of a lying runner: lost, repeated, or exchanged with a later one

  // Persons
  double double_answer = 0.2;    // a second answer of another person at the same moment
  double reloaded_page = 0.003;  // for each action: a new page, and no memory of the page before

  // Calls of the store are late and their outcomes lost; nothing makes a turn fail.
  static Faults delays() {
    Faults faults;
    faults.crash_before_write = faults.crash_after_write = faults.refused_call = faults.full_store = 0;
    faults.crash_before_call = faults.crash_after_call = 0;
    faults.crash_interval = 24h;
    faults.dying_agent = faults.hanging_agent = 0;
    faults.runner_crash_interval = 24h * 365;
    faults.lying_runner = faults.cut_connection = 0;
    return faults;
  }
  static Faults none() {
    return {.crash_before_write = 0,
            .crash_after_write = 0,
            .crash_before_call = 0,
            .crash_after_call = 0,
            .refused_call = 0,
            .lost_outcome = 0,
            .slow_call = 0,
            .slowest_call = 0s,
            .lost_wake_ups = 0,
            .stall = 0,
            .longest_stall = 0s,
            .full_store = 0,
            .longest_full_store = 0s,
            .crash_interval = 24h,
            .longest_outage = 1s,
            .graceful_end = 0,
            .late_notice = 0,
            .split_brain = 0,
            .longest_split_brain = 0s,
            .largest_clock_skew = 0s,
            .clock_jump_interval = 24h,
            .dying_agent = 0,
            .hanging_agent = 0,
            .lying_agent = 0,
            .refusing_agent = 0,
            .cut_connection = 0,
            .lost_change = 0,
            .late_frame = 0,
            .latest_frame = 0s,
            .idle_reader = 0,
            .longest_idleness = 0s,
            .runner_crash_interval = 24h * 365,
            .lying_runner = 0,
            .lie = 0,
            .double_answer = 0,
            .reloaded_page = 0};
  }
};

}  // namespace parlance::simulator

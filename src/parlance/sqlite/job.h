// SPDX-License-Identifier: Apache-2.0
// One request to a database between the loop, which waits for it, and the worker, which does it. Made by the engine, loop thread only
// except `run`.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>

#include "parlance/async/channel.h"
#include "parlance/sqlite/session.h"

namespace parlance::sqlite {

class DatabaseWorker;
class Engine;

class Job final : public std::enable_shared_from_this<Job>, private Timer {
 public:
  Job(Engine& engine, Loop& loop, std::chrono::milliseconds timeout, TimePoint deadline)
      : run(deadline), timeout(timeout), ended_signal_(loop), engine_(engine), loop_(loop) {}

  Run run;
  const std::chrono::milliseconds timeout;  // zero: none

 private:
  friend class Engine;
  friend class DatabaseWorker;
  void watch();  // from now on the deadline is kept by the loop as well
  bool cancel();
  void finish();
  void on_timer() override;
  void give_grace();

  std::move_only_function<void(Session&)> work_;  // worker thread
  std::atomic<bool> started_ = false;             // a worker is at it
  bool ended_ = false;
  bool left_behind_ = false;
  bool waiting_for_grace_ = false;
  Signal ended_signal_;
  std::shared_ptr<DatabaseWorker> worker_;
  Engine& engine_;
  Loop& loop_;
};
using Ticket = std::shared_ptr<Job>;

}  // namespace parlance::sqlite

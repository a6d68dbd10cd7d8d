// SPDX-License-Identifier: Apache-2.0
// The hub's store in one SQLite file, `hub.db` of the state folder. Loop thread; a worker thread does the work and opens the file
// on first use, so the start of a program does not wait.
//
// A returned commit survives the death of this process at any point, kill -9 included: WAL with synchronous=NORMAL hands every
// commit to the kernel before the return. The commit does not wait for the disk. After a power cut the last commits may be
// missing, each as a whole, and the log of a conversation never has a gap.
//
// One hub per state folder: a lock file rejects a second hub, because a second hub would orphan the open asks of the first.
#pragma once

#include <memory>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/async/run_on.h"
#include "parlance/hub/log/forwarded_reads.h"
#include "parlance/store/hub/hub_file.h"

namespace parlance::store {

class HubSqlite final : public hub::ForwardedReads<HubSqlite, hub::Store, HubFile> {
 public:
  HubSqlite(Loop& loop, std::string state_folder);
  ~HubSqlite() override;  // Waits for pending writes.

  Task<Result<hub::Stored>> load() override;
  Task<Result<void>> write(hub::CommitPtr change) override;
  Task<Result<void>> remove_conversation(std::string id) override;
  Task<Result<std::vector<std::string>>> unused_sessions(std::string runner) override;
  Task<Result<void>> forget_unused_session(std::string runner, std::string session) override;

 private:
  friend ForwardedReads;
  // Runs an operation of HubFile on the worker. The operation finishes even if its caller stops waiting.
  template <auto operation, class... Arguments>
  auto call(Arguments... arguments) {
    return run_on<operation>(worker_, *file_, std::move(arguments)...);
  }

  std::unique_ptr<HubFile> file_;  // used only by the worker
  Worker worker_;
};

}  // namespace parlance::store

// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: publishes written changes to followers of a conversation and to watchers of the hub, and reports
// the health of the store. Loop thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "parlance/hub/room.h"
#include "parlance/hub/watcher.h"

namespace parlance::hub {

class Publisher {
 public:
  explicit Publisher(Hub::Implementation& hub) : hub_(hub) {}

  void told(Room& room, const CommitPtr& written);  // after the write of a commit
  // Publishes the row of a conversation. access_before: users who lose their access need the notice too.
  void tell_row(Room& room, std::optional<Access> access_before = {});
  void tell(Change change, std::size_t bytes = 0);    // bytes: weight of the change in a watcher's queue
  void store_health(Room& room, const Error* error);  // null: the last write of the conversation succeeded

  const std::shared_ptr<Watchers>& watchers() const { return watchers_; }
  std::uint64_t events() const { return events_; }
  std::uint64_t commits() const { return commits_; }

 private:
  Hub::Implementation& hub_;
  std::shared_ptr<Watchers> watchers_ = std::make_shared<Watchers>();
  std::uint64_t events_ = 0;
  std::uint64_t commits_ = 0;
  bool store_failed_ = false;  // at the last write of any conversation
};

}  // namespace parlance::hub

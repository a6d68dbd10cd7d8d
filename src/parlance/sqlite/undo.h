// SPDX-License-Identifier: Apache-2.0
// Showing a write before it is done, doing exactly what was shown, and taking back the last writes of this session. One history a
// database; its worker's thread uses it, and it outlives the worker (an idle database is closed, its history stays).
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "parlance/base/newest.h"
#include "parlance/sqlite/recorder.h"
#include "parlance/sqlite/write.h"

namespace parlance::sqlite {

class Session;

inline constexpr std::size_t kept_previews = 8;  // that wait for their `apply`

struct Preview {
  std::string id{};  // for `apply`; empty when it cannot be applied
  WriteResult would{};
  std::vector<TableChange> tables{};
  bool rows_left_out = false;          // more rows change than are told with their values
  std::vector<std::string> missing{};  // what the preview does not show, in sentences
};

class UndoHistory {
 public:
  // The write, recorded. A write that cannot be taken back forgets what came before it: undo never jumps over one.
  Outcome<WriteResult> write(Connection& connection, Run& run, const WriteRequest& request, RowSink& sink);
  Outcome<Preview> preview(Connection& connection, Run& run, const WriteRequest& request, RowSink& sink);
  Outcome<WriteResult> apply(Connection& connection, Run& run, const std::string& preview_id);
  Outcome<WriteResult> undo(Connection& connection, Run& run, std::size_t count);

 private:
  void remember(Recording recording);

  std::mutex mutex_;                             // a worker that was left behind and the one that took over
  std::deque<std::string> writes_;               // changesets, the latest last
  std::size_t bytes_ = 0;                        // of them
  std::string last_loss_;                        // why there is nothing further back
  Newest<std::string> previews_{kept_previews};  // changesets
  std::uint64_t next_preview_ = 1;
};

// A copy of the database as it is at one moment, while others use it (the online backup API), into a file that did not exist.
Outcome<> snapshot(Session& session, Run& run, const PathGuard& guard, const std::string& to);

}  // namespace parlance::sqlite

// SPDX-License-Identifier: Apache-2.0
// Previews a write, applies exactly the preview, and undoes the last writes of this session. Each database has a history, used
// on the thread of its worker. The history outlives the worker (an idle database is closed, its history stays).
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

inline constexpr std::size_t kept_previews = 8;  // Previews before their `apply`.

struct Preview {
  std::string id{};  // For `apply`; empty: the preview cannot be applied.
  WriteResult would{};
  std::vector<TableChange> tables{};
  bool rows_left_out = false;          // Number of changed rows without listed values.
  std::vector<std::string> missing{};  // Changes outside of the preview, in sentences.
};

class UndoHistory {
 public:
  // The recorded write. A write without undo clears the earlier history: undo never skips a write.
  Outcome<WriteResult> write(Connection& connection, Run& run, const WriteRequest& request, RowSink& sink);
  Outcome<Preview> preview(Connection& connection, Run& run, const WriteRequest& request, RowSink& sink);
  Outcome<WriteResult> apply(Connection& connection, Run& run, const std::string& preview_id);
  Outcome<WriteResult> undo(Connection& connection, Run& run, std::size_t count);

 private:
  void remember(Recording recording);

  std::mutex mutex_;                             // An abandoned worker, and its successor.
  std::deque<std::string> writes_;               // Changesets, the latest last.
  std::size_t bytes_ = 0;                        // Of the changesets.
  std::string last_loss_;                        // Reason why the history has no earlier entry.
  Newest<std::string> previews_{kept_previews};  // changesets
  std::uint64_t next_preview_ = 1;
};

// Copies the database at a single moment, during use by others (the online backup API), into a new file.
Outcome<> snapshot(Session& session, Run& run, const PathGuard& guard, const std::string& to);

}  // namespace parlance::sqlite

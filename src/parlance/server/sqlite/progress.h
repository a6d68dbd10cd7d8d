// SPDX-License-Identifier: Apache-2.0
// The progress of a running statement: the database's worker counts rows, and the loop reports four times a second, only after an
// increase. A progress belongs to its request and ends earlier.
#pragma once

#include <atomic>
#include <cstdint>

#include "parlance/protocol/mcp/request.h"
#include "parlance/server/sqlite/limits.h"
#include "parlance/server/sqlite/rows.h"

namespace parlance::server {

// Rows as JSON, counted. The worker writes; any thread may ask for the count.
class CountedRows final : public sqlite::RowSink {
 public:
  explicit CountedRows(RowFormat format = {}) : rows_(format) {}
  void begin(std::span<const sqlite::Column> columns) override { rows_.begin(columns); }
  void row(std::span<const sqlite::Cell> cells) override {
    rows_.row(cells);
    count_.store(count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);  // the only writer
  }
  std::size_t bytes() const override { return rows_.bytes(); }
  void take_back() override { rows_.take_back(); }
  std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }
  const RowWriter& rows() const { return rows_; }

 private:
  RowWriter rows_;
  std::atomic<std::uint64_t> count_{0};
};

// Sends progress notifications of a request to its client at regular intervals until destruction. Sends none if the client asked
// for none.
class ProgressNotifier final : private Timer {
 public:
  // `done` returns the progress so far; 0 sends no notification. Called until destruction.
  ProgressNotifier(Loop& loop, mcp::Request& request, std::function<std::uint64_t()> done)
      : loop_(loop), request_(request), done_(std::move(done)) {
    if (request_.wants_progress()) start(loop_, loop_.now() + limits::sqlite_progress_pause);
  }

 private:
  void on_timer() override {
    if (const std::uint64_t done = done_(); done != 0) request_.progress(static_cast<double>(done));
    start(loop_, loop_.now() + limits::sqlite_progress_pause);
  }
  Loop& loop_;
  mcp::Request& request_;
  std::function<std::uint64_t()> done_;
};

}  // namespace parlance::server

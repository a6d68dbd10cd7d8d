// SPDX-License-Identifier: Apache-2.0
// A graph over int8 rows (HNSW, by hnswlib) that finds most of the nearest ones without looking at all. It holds links alone: its
// distances are taken from the rows of the index. Built once over the rows of a view, slot for slot; what comes later is not in it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "parlance/memory/vector/vector_rows.h"

namespace parlance::memory {

// One thread at a time. The view's blocks must outlive it, and their bytes and scales must not change.
class ApproximateIndex {
 public:
  ~ApproximateIndex();

  std::uint32_t rows() const;       // Slots below this are in it.
  void remove(std::uint32_t slot);  // It is still a way to others, but is not found any more.
  std::size_t bytes() const;        // Of its links.
  std::size_t breadth() const;      // How many candidates a search keeps, by what it took to reach the recall.

  // `count` slots or more (all, if there are fewer), most of them of the rows nearest to `query` (a quantized vector, as long and aligned as the rows).
  std::vector<std::uint32_t> nearest(const std::int8_t* query, std::size_t count) const;

 private:
  friend class ApproximateBuild;
  struct Graph;
  explicit ApproximateIndex(std::unique_ptr<Graph> graph);
  bool tune(double recall, const std::atomic<bool>& cancelled);

  std::unique_ptr<Graph> graph_;
};

// Builds one on a thread of its own, while the owner of the rows goes on searching, appending and killing. Owner's thread.
class ApproximateBuild {
 public:
  ApproximateBuild(RowView rows, const ScanKernel& kernel, double recall);
  ~ApproximateBuild();  // gives up, which takes about as long as adding one row
  ApproximateBuild(const ApproximateBuild&) = delete;
  ApproximateBuild& operator=(const ApproximateBuild&) = delete;

  double progress() const;  // 0 to 1
  bool finished() const { return finished_; }
  // Once, when finished. nullptr: there was no memory, or no breadth reached the recall on these rows.
  std::unique_ptr<ApproximateIndex> take();

 private:
  void run(RowView rows, const ScanKernel& kernel, double recall);

  std::uint32_t total_;
  std::atomic<std::uint32_t> added_ = 0;
  std::atomic<bool> cancelled_ = false;
  std::atomic<bool> finished_ = false;
  std::unique_ptr<ApproximateIndex> built_;  // the thread's until finished_
  std::thread thread_;
};

}  // namespace parlance::memory

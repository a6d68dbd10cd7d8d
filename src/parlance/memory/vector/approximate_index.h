// SPDX-License-Identifier: Apache-2.0
// A graph over int8 rows (HNSW, by hnswlib) for finding most of the nearest rows without reading all. The graph stores links
// only and computes distances from the rows of the index. Built once over the rows of a view, slot for slot; later rows are
// absent.
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

  std::uint32_t rows() const;       // Slots below this are in the graph.
  void remove(std::uint32_t slot);  // The slot still connects others, and is no longer found.
  std::size_t bytes() const;        // Of its links.
  std::size_t breadth() const;      // Number of candidates of a search, chosen by the number needed for the recall.

  // At least `count` slots (all, if fewer exist), most of them among the rows nearest to `query` (a quantized vector, as long
  // and aligned as the rows).
  std::vector<std::uint32_t> nearest(const std::int8_t* query, std::size_t count) const;

 private:
  friend class ApproximateBuild;
  struct Graph;
  explicit ApproximateIndex(std::unique_ptr<Graph> graph);
  bool tune(double recall, const std::atomic<bool>& cancelled);

  std::unique_ptr<Graph> graph_;
};

// Builds a graph on a thread of its own. Meanwhile, the owner of the rows may search, append and remove. Owner's thread.
class ApproximateBuild {
 public:
  ApproximateBuild(RowView rows, const ScanKernel& kernel, double recall);
  ~ApproximateBuild();  // Cancels, in about the time of adding a row.
  ApproximateBuild(const ApproximateBuild&) = delete;
  ApproximateBuild& operator=(const ApproximateBuild&) = delete;

  double progress() const;  // 0 to 1.
  bool finished() const { return finished_; }
  // Once, when finished. nullptr: out of memory, or no breadth reached the recall on these rows.
  std::unique_ptr<ApproximateIndex> take();

 private:
  void run(RowView rows, const ScanKernel& kernel, double recall);

  std::uint32_t total_;
  std::atomic<std::uint32_t> added_ = 0;
  std::atomic<bool> cancelled_ = false;
  std::atomic<bool> finished_ = false;
  std::unique_ptr<ApproximateIndex> built_;  // Owned by the thread until finished_.
  std::thread thread_;
};

}  // namespace parlance::memory

// SPDX-License-Identifier: Apache-2.0
// hnswlib chooses its vector code by compiler flags, which are absent here, and that code contains a prefetch beyond a list.
#define NO_MANUAL_VECTORIZATION

#include "parlance/memory/vector/approximate_index.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <fstream>
#include <hnswlib/hnswlib.h>
#include <mutex>
#include <unordered_map>

#include "parlance/memory/vector/limits.h"
#include "parlance/memory/vector/vector_shortlist.h"

namespace parlance::memory {
namespace {

// Links of a row; twice as many on the lowest level. Both the method's paper and hnswlib recommend 16 for text.
constexpr std::size_t links = 16;
constexpr std::size_t building_breadth = 128;
constexpr std::uint32_t query_slot = NumberedSlots::none;  // "The row" of the current query.

// hnswlib's vectors are slot numbers; this class knows the location of the rows.
struct SlotSpace final : hnswlib::SpaceInterface<float> {
  RowView rows;
  const ScanKernel* kernel = nullptr;
  const std::int8_t* query = nullptr;

  std::size_t get_data_size() override { return sizeof(std::uint32_t); }
  hnswlib::DISTFUNC<float> get_dist_func() override { return &distance; }
  void* get_dist_func_param() override { return this; }

  // The dot product of two vectors of length 1, turned round: the nearest is the lowest. A query counts as if its scale were 1.
  static float distance(const void* a, const void* b, const void* space) {
    const auto& self = *static_cast<const SlotSpace*>(space);
    std::uint32_t slots[2];
    std::memcpy(&slots[0], a, sizeof slots[0]);
    std::memcpy(&slots[1], b, sizeof slots[1]);
    float scale = -1;
    const std::int8_t* bytes[2];
    for (int i = 0; i < 2; ++i) {
      const bool is_query = slots[i] == query_slot;
      bytes[i] = is_query ? self.query : self.rows.bytes(slots[i]);
      if (!is_query) scale *= self.rows.scale(slots[i]);
    }
    std::int32_t dot = 0;
    self.kernel->dots(bytes[0], bytes[1], self.rows.length, 1, &dot);
    return static_cast<float>(dot) * scale;
  }
};

using Links = hnswlib::HierarchicalNSW<float>;

}  // namespace

struct ApproximateIndex::Graph {
  SlotSpace space;
  std::unique_ptr<Links> links;
  std::size_t breadth = limits::approximate_breadth;

  std::vector<std::uint32_t> search(const std::int8_t* query, std::size_t count, std::size_t width) {
    space.query = query;
    links->setEf(width);
    auto found = links->searchKnn(&query_slot, count);
    std::vector<std::uint32_t> slots;
    slots.reserve(found.size());
    for (; !found.empty(); found.pop()) slots.push_back(static_cast<std::uint32_t>(found.top().second));
    return slots;
  }
};

ApproximateIndex::ApproximateIndex(std::unique_ptr<Graph> graph) : graph_(std::move(graph)) {}
ApproximateIndex::~ApproximateIndex() = default;

std::uint32_t ApproximateIndex::rows() const { return graph_->space.rows.rows; }
std::size_t ApproximateIndex::breadth() const { return graph_->breadth; }

// Rows were added in the order of their slots, so hnswlib's own numbers are the slots.
void ApproximateIndex::remove(std::uint32_t slot) {
  if (!graph_->links->isMarkedDeleted(slot)) graph_->links->markDeletedInternal(slot);
}

std::size_t ApproximateIndex::bytes() const {
  const Links& graph = *graph_->links;
  std::size_t upper = 0;
  for (const int level : graph.element_levels_) upper += static_cast<std::size_t>(level) * graph.size_links_per_element_;
  const std::size_t each = graph.size_data_per_element_ + sizeof(char*) + sizeof(int) + sizeof(hnswlib::vl_type);
  return graph.max_elements_ * each + upper;
}

std::vector<std::uint32_t> ApproximateIndex::nearest(const std::int8_t* query, std::size_t count) const {
  const std::size_t width = std::max(count, graph_->breadth);
  return graph_->search(query, width, width);
}

// Compares searches of growing breadth with the exact ten nearest rows of a sample, and keeps the first sufficient breadth.
bool ApproximateIndex::tune(double recall, const std::atomic<bool>& cancelled) {
  constexpr std::size_t nearest_rows = 10;
  constexpr std::uint32_t sample_rows = 50;
  const RowView& rows = graph_->space.rows;
  const auto key_of = [&](const std::int8_t* query, std::uint32_t slot) {
    std::int32_t dot = 0;
    graph_->space.kernel->dots(query, rows.bytes(slot), rows.length, 1, &dot);
    return static_cast<float>(dot) * rows.scale(slot);
  };

  struct Sample {
    const std::int8_t* query;
    float tenth;
  };
  std::vector<Sample> samples;
  for (std::uint32_t i = 0; i < sample_rows && !cancelled; ++i) {
    const std::int8_t* const query = rows.bytes(static_cast<std::uint32_t>(std::uint64_t{rows.rows} * i / sample_rows));
    Shortlist list(nearest_rows);
    for (std::uint32_t slot = 0; slot < rows.rows; ++slot) list.offer(key_of(query, slot), slot);
    list.close();
    Sample sample{.query = query, .tenth = 0};
    while (!list.empty()) sample.tenth = list.take().key;
    samples.push_back(sample);
  }

  for (std::size_t& width = graph_->breadth; width <= limits::approximate_breadth_most && !cancelled; width *= 2) {
    std::size_t found = 0;
    for (const Sample& sample : samples) {
      const auto slots = graph_->search(sample.query, nearest_rows, width);
      found += static_cast<std::size_t>(
          std::ranges::count_if(slots, [&](auto slot) { return key_of(sample.query, slot) >= sample.tenth; }));
    }
    const std::size_t wanted = std::min<std::size_t>(nearest_rows, rows.rows) * samples.size();
    if (static_cast<double>(found) >= recall * static_cast<double>(wanted)) return true;
  }
  return false;
}

ApproximateBuild::ApproximateBuild(RowView rows, const ScanKernel& kernel, double recall)
    : total_(rows.rows),
      thread_([this, rows = std::move(rows), &kernel, recall]() mutable { run(std::move(rows), kernel, recall); }) {}

ApproximateBuild::~ApproximateBuild() {
  cancelled_ = true;
  thread_.join();
}

double ApproximateBuild::progress() const { return total_ == 0 ? 1 : static_cast<double>(added_) / total_; }

std::unique_ptr<ApproximateIndex> ApproximateBuild::take() { return std::move(built_); }

namespace {

// 40 bytes of locks for each row, and a map from our numbers to hnswlib's equal numbers. hnswlib 0.8 has no second list of locks.
template <class Graph>
void drop_what_adding_needs(Graph& graph) {
  std::vector<std::mutex>().swap(graph.link_list_locks_);
  if constexpr (requires { graph.link_list_update_locks_; }) std::vector<std::mutex>().swap(graph.link_list_update_locks_);
  graph.label_lookup_ = {};
}

}  // namespace

void ApproximateBuild::run(RowView rows, const ScanKernel& kernel, double recall) {
  try {
    auto graph = std::make_unique<ApproximateIndex::Graph>();
    graph->space.rows = std::move(rows);
    graph->space.kernel = &kernel;
    graph->links = std::make_unique<Links>(&graph->space, total_, links, building_breadth);
    for (std::uint32_t slot = 0; slot < total_ && !cancelled_; ++slot, ++added_) graph->links->addPoint(&slot, slot);
    drop_what_adding_needs(*graph->links);
    auto index = std::unique_ptr<ApproximateIndex>(new ApproximateIndex(std::move(graph)));
    if (!cancelled_ && index->tune(recall, cancelled_) && !cancelled_) built_ = std::move(index);
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): without memory the search stays exact
  }
  finished_ = true;
}

}  // namespace parlance::memory

// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/vector/vector_index.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "parlance/base/check.h"
#include "parlance/memory/vector/approximate_index.h"
#include "parlance/memory/vector/limits.h"
#include "parlance/memory/vector/quantized_query.h"
#include "parlance/memory/vector/vector_rows.h"
#include "parlance/memory/vector/vector_shortlist.h"

namespace parlance::memory {
namespace {

// Products of two floats are exact in double, and the order of the sum is written down: the same bits on every processor.
struct Products {
  double dot = 0;
  double row_squares = 0;
};
Products products(std::span<const float> query, std::span<const float> row) {
  constexpr std::size_t lanes = 4;
  std::array<double, lanes> dots{}, squares{};
  const auto add = [&](std::size_t i, std::size_t lane) {
    dots[lane] += double{query[i]} * double{row[i]};
    squares[lane] += double{row[i]} * double{row[i]};
  };
  std::size_t i = 0;
  for (; i + lanes <= query.size(); i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) add(i + lane, lane);
  for (; i < query.size(); ++i) add(i, i % lanes);
  return {.dot = dots[0] + dots[1] + (dots[2] + dots[3]), .row_squares = squares[0] + squares[1] + (squares[2] + squares[3])};
}

bool nearer(const VectorIndex::Found& a, const VectorIndex::Found& b) {
  return a.cosine != b.cosine ? a.cosine > b.cosine : a.number < b.number;
}

// Reads the exact rows of these numbers, sorted by distance. Zero vectors are near to nothing.
void add_cosines(std::span<const float> query, double norm, std::span<const std::int64_t> numbers, ExactRows& exact,
                 std::vector<VectorIndex::Found>& found) {
  std::vector<float> read(numbers.size() * query.size());
  exact.read(numbers, read);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto [dot, squares] = products(query, std::span(read).subspan(i * query.size(), query.size()));
    if (squares > 0) found.push_back({.number = numbers[i], .cosine = static_cast<float>(dot / (norm * std::sqrt(squares)))});
  }
  std::ranges::sort(found, nearer);
}

// For rows that include all nearest: a row is certain if fewer than `limit` other rows may be nearer. Returns the cosine below
// which no row is among the nearest.
double mark_certain(std::vector<VectorIndex::Near>& rows, std::size_t limit) {
  for (VectorIndex::Near& row : rows) row.certain = true;
  if (rows.size() <= limit) return -std::numeric_limits<double>::infinity();
  std::vector<double> sorted;
  for (const VectorIndex::Near& row : rows) sorted.push_back(row.lowest);
  std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(limit - 1), std::greater{});
  const double least = sorted[limit - 1];
  sorted.clear();
  for (const VectorIndex::Near& row : rows) sorted.push_back(row.highest);
  std::ranges::sort(sorted, std::greater{});
  // Includes the row's own value.
  for (VectorIndex::Near& row : rows) row.certain = row.lowest > sorted[limit];
  return least;
}

}  // namespace

struct VectorIndex::State {
  State(std::size_t dimension, VectorIndexSettings given) : settings(given), rows(dimension) {
    if (!settings.kernel) settings.kernel = &scan_kernels().front();
  }

  VectorIndexSettings settings;
  VectorRows rows;
  std::unique_ptr<ApproximateIndex> graph;
  std::uint32_t hopeless_rows = 0;  // with this many rows, no graph was good enough: the next attempt waits for twice as many
  std::unique_ptr<ApproximateBuild> build;  // declared last: reads the rows

  // Slots and their rows stay unchanged while a graph refers to them.
  bool pinned() const { return graph || build; }
  std::size_t live() const { return rows.slots() - rows.dead_slots(); }

  void kill(std::uint32_t slot) {
    rows.kill(slot);
    if (graph && slot < graph->rows()) graph->remove(slot);
  }

  void scan(const QuantizedQuery& query, std::uint32_t from, std::uint32_t groups, Shortlist& list) const;
  std::vector<Found> nearest(std::span<const float> vector, std::size_t limit, ExactRows& exact, std::uint32_t groups,
                             bool approximate) const;
  std::vector<Found> measure(std::span<const float> vector, const QuantizedQuery& query, Shortlist& list, std::size_t limit,
                             ExactRows& exact) const;
};

constexpr std::size_t sixteen = 16;

void VectorIndex::State::scan(const QuantizedQuery& query, std::uint32_t from, std::uint32_t groups, Shortlist& list) const {
  std::array<bool, 256> admitted{};
  for (std::size_t group = 0; group < 32; ++group) admitted[group] = (groups >> group & 1) != 0;
  const RowView& view = rows.view();
  std::array<std::int32_t, 128> dots;
  std::array<float, dots.size()> keys;
  for (std::uint32_t slot = from; slot < view.rows;) {
    const std::size_t inside = view.inside(slot);
    const std::size_t count = std::min({dots.size(), view.block_rows() - inside, std::size_t{view.rows - slot}});
    const RowBlock& block = view.blocks[slot >> view.shift];
    settings.kernel->dots(query.bytes(), block.bytes + inside * view.length, view.length, count, dots.data());
    for (std::size_t i = 0; i < count; ++i) keys[i] = query.key(dots[i], block.scales[inside + i]);
    std::fill(keys.begin() + static_cast<std::ptrdiff_t>(count), keys.end(), -std::numeric_limits<float>::infinity());
    // A full list rejects nearly all rows: sixteen at once by a check with few instructions.
    for (std::size_t i = 0; i < count; i += sixteen) {
      const float least = list.least();
      unsigned above = 0;
      for (std::size_t j = 0; j < sixteen; ++j) above |= static_cast<unsigned>(keys[i + j] > least);
      if (above == 0) continue;
      for (std::size_t row = i; row < std::min(i + sixteen, count); ++row)
        if (admitted[block.groups[inside + row]]) list.offer(keys[row], slot + static_cast<std::uint32_t>(row));
    }
    slot += static_cast<std::uint32_t>(count);
  }
}

std::vector<VectorIndex::Found> VectorIndex::State::nearest(std::span<const float> vector, std::size_t limit, ExactRows& exact,
                                                            std::uint32_t groups, bool approximate) const {
  PARLANCE_CHECK(vector.size() == rows.dimension(), "a query of the index's dimension");
  const QuantizedQuery query(vector, rows.view().length);
  if (query.empty() || limit == 0 || live() == 0) return {};
  limit = std::min(limit, live());
  // A short list is quick, and mostly enough. Near-duplicates need a longer list and a second scan.
  for (const std::size_t width : {limits::vector_shortlist_rows, limits::vector_shortlist_most}) {
    Shortlist list(std::max(width, 4 * limit));
    if (approximate) {
      for (const std::uint32_t slot : graph->nearest(query.bytes(), 4 * limit)) {
        std::int32_t dot = 0;
        settings.kernel->dots(query.bytes(), rows.view().bytes(slot), rows.view().length, 1, &dot);
        list.offer(query.key(dot, rows.view().scale(slot)), slot);
      }
    }
    scan(query, approximate ? graph->rows() : 0, groups, list);
    list.close();
    std::vector<Found> found = measure(vector, query, list, limit, exact);
    const bool all = list.left_out() == -std::numeric_limits<float>::infinity();
    const bool certain = all || (found.size() == limit && found.back().cosine > query.highest_cosine(list.left_out()));
    if (certain || width == limits::vector_shortlist_most) return found;
  }
  return {};
}

// Reads exact rows until no unread row can be among the nearest.
std::vector<VectorIndex::Found> VectorIndex::State::measure(std::span<const float> vector, const QuantizedQuery& query,
                                                            Shortlist& list, std::size_t limit, ExactRows& exact) const {
  const std::size_t at_once = std::max(limits::vector_exact_rows, 2 * limit);
  std::vector<Found> found;
  std::vector<std::int64_t> numbers;
  while (!list.empty() && (found.size() < limit || found.back().cosine <= query.highest_cosine(list.next_key()))) {
    numbers.clear();
    while (!list.empty() && numbers.size() < at_once) numbers.push_back(rows.number(list.take().slot));
    add_cosines(vector, query.norm(), numbers, exact, found);
    if (found.size() > limit) found.resize(limit);
  }
  return found;
}

VectorIndex::VectorIndex(std::size_t dimension, VectorIndexSettings settings)
    : state_(std::make_unique<State>(dimension, settings)) {}
VectorIndex::~VectorIndex() = default;
VectorIndex::VectorIndex(VectorIndex&&) noexcept = default;
VectorIndex& VectorIndex::operator=(VectorIndex&&) noexcept = default;

void VectorIndex::set(std::int64_t number, std::span<const std::int8_t> bytes, float scale, std::uint8_t group) {
  PARLANCE_CHECK(group < 32, "a group that a filter has a bit for");
  State& state = *state_;
  if (const std::uint32_t slot = state.rows.find(number); slot != NumberedSlots::none) {
    if (!state.pinned()) return state.rows.write(slot, bytes, scale, group);
    // A memory with only a changed category must not cost the graph a row.
    if (state.rows.holds(slot, bytes, scale)) return state.rows.set_group(slot, group);
    state.kill(slot);
  }
  state.rows.append(number, bytes, scale, group);
}

void VectorIndex::reserve(std::size_t rows) { state_->rows.reserve(rows); }

void VectorIndex::add(std::int64_t number, std::span<const std::int8_t> bytes, float scale, std::uint8_t group) {
  PARLANCE_CHECK(group < 32, "a group that a filter has a bit for");
  state_->rows.append(number, bytes, scale, group);
}

bool VectorIndex::set_group(std::int64_t number, std::uint8_t group) {
  PARLANCE_CHECK(group < 32, "a group that a filter has a bit for");
  const std::uint32_t slot = state_->rows.find(number);
  if (slot == NumberedSlots::none) return false;
  state_->rows.set_group(slot, group);
  return true;
}

bool VectorIndex::remove(std::int64_t number) {
  const std::uint32_t slot = state_->rows.find(number);
  if (slot == NumberedSlots::none) return false;
  if (state_->pinned()) {
    state_->kill(slot);
  } else {
    state_->rows.remove(slot);
  }
  return true;
}

void VectorIndex::clear() { state_ = std::make_unique<State>(dimension(), state_->settings); }

std::size_t VectorIndex::size() const { return state_->live(); }
std::size_t VectorIndex::dimension() const { return state_->rows.dimension(); }
std::size_t VectorIndex::bytes() const {
  return sizeof(State) + state_->rows.bytes() + (state_->graph ? state_->graph->bytes() : 0);
}

std::vector<VectorIndex::Found> VectorIndex::search(std::span<const float> query, std::size_t limit, ExactRows& exact,
                                                    std::uint32_t groups) const {
  return state_->nearest(query, limit, exact, groups, state_->graph && groups == all_groups);
}

std::optional<std::vector<VectorIndex::Near>> VectorIndex::near(std::span<const float> vector, std::size_t limit,
                                                                std::uint32_t groups) const {
  const State& state = *state_;
  PARLANCE_CHECK(vector.size() == dimension(), "a query of the index's dimension");
  if (state.graph && groups == all_groups) return std::nullopt;
  const QuantizedQuery query(vector, state.rows.view().length);
  if (query.empty() || limit == 0 || state.live() == 0) return std::vector<Near>{};
  for (const std::size_t width : {limits::vector_shortlist_rows, limits::vector_shortlist_most}) {
    Shortlist list(std::max(width, 4 * limit));
    state.scan(query, 0, groups, list);
    std::vector<Near> rows;
    for (const Shortlist::Candidate& candidate : list.cut()) {
      const float scale = state.rows.view().scale(candidate.slot);
      if (!(scale > 0)) continue;  // zero vectors are near to nothing
      rows.push_back({.number = state.rows.number(candidate.slot),
                      .lowest = query.lowest_cosine(candidate.key, scale),
                      .highest = query.highest_cosine(candidate.key)});
    }
    const double least = mark_certain(rows, limit);
    const bool all = list.left_out() == -std::numeric_limits<float>::infinity();
    if (!all && query.highest_cosine(list.left_out()) >= least) continue;
    std::erase_if(rows, [&](const Near& row) { return row.highest < least; });
    return rows;
  }
  return std::nullopt;
}

void VectorIndex::settle(std::span<const float> vector, std::size_t limit, std::vector<Near>& near, ExactRows& exact) const {
  std::vector<std::int64_t> doubtful;
  for (const Near& row : near)
    if (!row.certain) doubtful.push_back(row.number);
  const std::size_t places = limit - std::min(limit, near.size() - doubtful.size());
  std::vector<Found> found;
  add_cosines(vector, QuantizedQuery(vector, state_->rows.view().length).norm(), doubtful, exact, found);
  if (found.size() > places) found.resize(places);
  std::ranges::sort(found, {}, &Found::number);
  for (Near& row : near) row.certain |= std::ranges::binary_search(found, row.number, {}, &Found::number);
}

std::vector<std::optional<double>> VectorIndex::highest_cosines(std::span<const float> vector,
                                                                std::span<const std::int64_t> numbers) const {
  const State& state = *state_;
  PARLANCE_CHECK(vector.size() == dimension(), "a query of the index's dimension");
  std::vector<std::optional<double>> highest(numbers.size());
  const QuantizedQuery query(vector, state.rows.view().length);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint32_t slot = state.rows.find(numbers[i]);
    if (slot == NumberedSlots::none) continue;
    const float scale = state.rows.view().scale(slot);
    std::int32_t dot = 0;
    state.settings.kernel->dots(query.bytes(), state.rows.view().bytes(slot), state.rows.view().length, 1, &dot);
    highest[i] = query.empty() || !(scale > 0) ? 0 : query.highest_cosine(query.key(dot, scale));
  }
  return highest;
}

bool VectorIndex::wants_approximate() const {
  const State& state = *state_;
  const std::size_t live = state.live();
  if (state.build || live * state.rows.view().length < state.settings.approximate_from_bytes) return false;
  if (live < 2 * std::size_t{state.hopeless_rows}) return false;
  if (!state.graph) return true;
  // Rows beside the graph are scanned, dead ones are in its way; a quarter keeps the work of rebuilding in proportion.
  const std::size_t new_rows = state.rows.slots() - state.graph->rows();
  return new_rows > state.graph->rows() / 4 || state.rows.dead_slots() > live / 4;
}

void VectorIndex::start_approximate() {
  State& state = *state_;
  cancel_approximate();
  if (state.live() == 0) return;
  // Many dead rows: their space is needed, and no graph survives the move. Otherwise the old graph serves until the new graph is
  // ready.
  if (state.rows.dead_slots() > state.live() / 4) {
    state.graph.reset();
    state.rows.remove_dead();
  }
  state.build = std::make_unique<ApproximateBuild>(state.rows.view(), *state.settings.kernel, state.settings.approximate_recall);
}

void VectorIndex::cancel_approximate() {
  state_->build.reset();
  if (!state_->pinned()) state_->rows.remove_dead();
}

std::optional<double> VectorIndex::approximate_progress() const {
  if (!state_->build) return std::nullopt;
  return state_->build->progress();
}

bool VectorIndex::poll() {
  State& state = *state_;
  if (state.graph && state.live() * state.rows.view().length < state.settings.approximate_from_bytes / 2) {
    state.graph.reset();
    cancel_approximate();
    return true;
  }
  if (!state.build || !state.build->finished()) return false;
  state.graph = state.build->take();
  state.build.reset();
  state.hopeless_rows = state.graph ? 0 : static_cast<std::uint32_t>(state.live());
  if (!state.graph) {
    state.rows.remove_dead();
    return true;
  }
  for (std::uint32_t slot = 0; slot < state.graph->rows(); ++slot) {
    if (state.rows.view().group(slot) == VectorRows::dead) state.graph->remove(slot);
  }
  return true;
}

bool VectorIndex::approximate() const { return state_->graph != nullptr; }

std::optional<double> VectorIndex::measure_recall(std::size_t sample, ExactRows& exact) const {
  constexpr std::size_t nearest_rows = 10;
  const State& state = *state_;
  if (!state.graph || sample == 0) return std::nullopt;
  std::size_t wanted = 0, found = 0;
  std::vector<float> query(dimension());
  for (std::size_t i = 0; i < sample; ++i) {
    auto slot = static_cast<std::uint32_t>(std::uint64_t{state.graph->rows()} * i / sample);
    while (slot < state.rows.slots() && state.rows.view().group(slot) == VectorRows::dead) ++slot;
    if (slot == state.rows.slots()) continue;
    const std::int64_t number = state.rows.number(slot);
    std::ranges::fill(query, 0.0F);
    exact.read({&number, 1}, query);
    // Both sides include the row itself.
    const auto truth = state.nearest(query, nearest_rows + 1, exact, all_groups, false);
    if (truth.size() < 2) continue;
    const auto approximate = state.nearest(query, nearest_rows + 1, exact, all_groups, true);
    const auto counts = [&](const Found& hit) { return hit.number != number && hit.cosine >= truth.back().cosine; };
    wanted += static_cast<std::size_t>(std::ranges::count_if(truth, counts));
    found += static_cast<std::size_t>(std::ranges::count_if(approximate, counts));
  }
  if (wanted == 0) return std::nullopt;
  return std::min(1.0, static_cast<double>(found) / static_cast<double>(wanted));
}

}  // namespace parlance::memory

#include "memory/vector_index.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/check.h"
#include "memory/approximate_index.h"
#include "memory/vector_rows.h"
#include "memory/vector_shortlist.h"

namespace parlance::memory {
namespace {

// Rounding a component to int8 errs evenly within half a scale, so the dot product with a vector of length 1 errs by scale / sqrt(12)
// (standard deviation). Both sides of a comparison get four of those, together nearly six: once in a hundred million.
constexpr double error_scales = 4 / 3.4641016151377544;

class QuantizedQuery {
 public:
  QuantizedQuery(std::span<const float> query, std::size_t length) : bytes_(aligned_array<std::int8_t>(length)) {
    double squares = 0;
    for (const float component : query) squares += double{component} * double{component};
    norm_ = std::sqrt(squares);
    if (!(norm_ > 0) || !std::isfinite(norm_)) return;
    const QuantizedVector quantized = quantize(query);
    std::memcpy(bytes_.get(), quantized.bytes.data(), quantized.bytes.size());
    std::memset(bytes_.get() + quantized.bytes.size(), 0, length - quantized.bytes.size());
    scale_ = quantized.scale / norm_;
    // Few components cannot err by more than half a scale each.
    const double scales = std::min(error_scales, std::sqrt(static_cast<double>(query.size())) / 2);
    head_start_ = scale_ > 0 ? static_cast<std::int32_t>(std::lround(scales / scale_)) : 0;
    error_ = scales * scale_;
  }

  bool empty() const { return !(scale_ > 0); }
  double norm() const { return norm_; }
  const std::int8_t* bytes() const { return bytes_.get(); }

  // Rows are put in order by what their cosine could at most be if the query were exact: (dot + head start) * scale of the row. One
  // multiplication, so that every processor rounds it alike.
  float key(std::int32_t dot, float scale) const { return static_cast<float>(dot + head_start_) * scale; }
  // No exact cosine of a row with this key is higher.
  double highest_cosine(float key) const { return key * scale_ + error_; }

 private:
  AlignedArray<std::int8_t> bytes_;
  double norm_ = 0;
  double scale_ = 0;  // of the query at length 1
  double error_ = 0;
  std::int32_t head_start_ = 0;
};

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

}  // namespace

QuantizedVector quantize(std::span<const float> vector) {
  constexpr float most = 127;  // not -128: rows are symmetric
  QuantizedVector out{.bytes = std::vector<std::int8_t>(vector.size()), .scale = 0};
  float highest = 0;
  for (const float component : vector) {
    if (!std::isfinite(component)) return out;
    highest = std::max(highest, std::abs(component));
  }
  const float scale = highest / most;
  if (scale < std::numeric_limits<float>::min()) return out;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    out.bytes[i] = static_cast<std::int8_t>(std::clamp(std::lrint(vector[i] / scale), -127L, 127L));
  }
  out.scale = scale;
  return out;
}

struct VectorIndex::State {
  State(std::size_t dimension, VectorIndexSettings given) : settings(given), rows(dimension) {
    if (!settings.kernel) settings.kernel = &scan_kernels().front();
  }

  VectorIndexSettings settings;
  VectorRows rows;
  std::unique_ptr<ApproximateIndex> graph;
  std::uint32_t hopeless_rows = 0;  // With so many rows no graph was good enough: not tried again until they are twice as many.
  std::unique_ptr<ApproximateBuild> build;  // Last: it reads the rows.

  // Slots stay where they are, and their rows as they are, while a graph refers to them.
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
    // Once the list is full nearly all rows are turned away, sixteen of them by one look that the compiler makes of few instructions.
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
  // A short list is quick to keep, and mostly enough. Among near-duplicates it is not, and the rows are looked at once more.
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

// Reads exact rows until none that was not read can be among the nearest any more.
std::vector<VectorIndex::Found> VectorIndex::State::measure(std::span<const float> vector, const QuantizedQuery& query,
                                                            Shortlist& list, std::size_t limit, ExactRows& exact) const {
  const std::size_t dimension = vector.size();
  const std::size_t at_once = std::max(limits::vector_exact_rows, 2 * limit);
  std::vector<Found> found;
  std::vector<std::int64_t> numbers;
  std::vector<float> read;
  while (!list.empty() && (found.size() < limit || found.back().cosine <= query.highest_cosine(list.next_key()))) {
    numbers.clear();
    while (!list.empty() && numbers.size() < at_once) numbers.push_back(rows.number(list.take().slot));
    read.assign(numbers.size() * dimension, 0);
    exact.read(numbers, read);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto [dot, squares] = products(vector, std::span(read).subspan(i * dimension, dimension));
      if (squares > 0)
        found.push_back({.number = numbers[i], .cosine = static_cast<float>(dot / (query.norm() * std::sqrt(squares)))});
    }
    std::ranges::sort(found, nearer);
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
    // A memory that only changed its category must not cost the graph a row.
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
  // Many dead: their room is wanted back, and no graph survives that. Otherwise the old graph serves until the new one is there.
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
    // The row itself is one too many on both sides.
    const auto truth = state.nearest(query, nearest_rows + 1, exact, all_groups, false);
    if (truth.size() < 2) continue;
    const auto approximate = state.nearest(query, nearest_rows + 1, exact, all_groups, true);
    const auto counts = [&](const Found& one) { return one.number != number && one.cosine >= truth.back().cosine; };
    wanted += static_cast<std::size_t>(std::ranges::count_if(truth, counts));
    found += static_cast<std::size_t>(std::ranges::count_if(approximate, counts));
  }
  if (wanted == 0) return std::nullopt;
  return std::min(1.0, static_cast<double>(found) / static_cast<double>(wanted));
}

}  // namespace parlance::memory

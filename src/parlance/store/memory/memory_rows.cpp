// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory/memory_rows.h"

#include <utility>

#include "parlance/memory/text/characters.h"

namespace parlance::store {
namespace {

// With the allocator's overhead for a separate text.
std::size_t bytes_of(const std::string& text) { return text.capacity() + 16; }

std::size_t bytes_of(const MemoryRow& row) {
  const memory::Entry& entry = row.entry;
  return sizeof row + bytes_of(entry.id) + bytes_of(entry.text) + bytes_of(entry.source.conversation) +
         bytes_of(entry.created_at) + bytes_of(entry.updated_at) + bytes_of(row.padded);
}

}  // namespace

// A memory never changes under its number, so only the log of changes counts.
Result<void> MemoryRows::sync() {
  PARLANCE_TRY(log, source_.changes());
  if (seen_change_ + 1 < log.first || log.last < seen_change_) {
    kept_.clear();
  } else if (log.last != seen_change_ && kept_.size() != 0) {
    PARLANCE_TRY(changed, source_.changed_after(seen_change_));
    for (const std::int64_t number : changed) kept_.drop(number);
  }
  seen_change_ = log.last;  // last: a failed read is repeated
  return {};
}

Result<void> MemoryRows::expect(std::span<const std::int64_t> numbers) {
  if (!source_.is_far()) return {};
  std::vector<std::int64_t> unknown;
  for (const std::int64_t number : numbers)
    if (kept_.find(number) == nullptr) unknown.push_back(number);
  if (unknown.empty()) return {};
  PARLANCE_TRY(read, source_.rows(unknown));
  for (NumberedEntry& entry : read) keep(std::move(entry));
  return {};
}

Result<MemoryRow*> MemoryRows::find(std::int64_t number) {
  if (MemoryRow* const kept = kept_.find(number)) return kept;
  PARLANCE_TRY(read, source_.rows(std::span(&number, 1)));
  return read.empty() ? nullptr : keep(std::move(read.front()));
}

MemoryRow* MemoryRows::keep(NumberedEntry read) {
  MemoryRow row{.number = read.number, .entry = std::move(read.entry)};
  row.padded = " " + memory::folded(row.entry.text) + "  ";
  const std::size_t bytes = bytes_of(row);
  return &kept_.keep(read.number, std::move(row), bytes);
}

const memory::TextFeatures& MemoryRows::features(MemoryRow& row) {
  if (!row.features) {
    row.features.emplace(row.entry.text);
    kept_.grew(row.number, row.features->bytes());
  }
  return *row.features;
}

}  // namespace parlance::store

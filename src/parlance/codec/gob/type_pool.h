// SPDX-License-Identifier: Apache-2.0
// Shared data of the streams of a thread: definitions with equal bytes, plans for reading, and announcements of our own types.
// An idle connection therefore needs a few hundred bytes. A server or client program has a single pool; streams hold the pool by
// shared_ptr. One thread only; the pool has no data of single streams.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parlance/codec/gob/definition.h"
#include "parlance/codec/gob/plan.h"
#include "parlance/wire/type.h"

namespace parlance::gob {

// Announcement of a type of ours. Ids belong to the pool, as Go's ids belong to the process.
struct OutgoingType {
  TypeId id = 0;
  bool is_struct = false;
  std::uint32_t index = none;              // Index among types with a definition; `none` for builtin types.
  std::string definition{};                // The whole message with its length.
  std::vector<std::uint32_t> refers_to{};  // Indexes of the types in the definition.
  std::vector<std::uint32_t> needs{};      // Indexes of all definitions for a value, in sending order; computed at the first use.
  std::string refusal{};                   // Not empty: the reason why this type has no gob form.
  mutable std::uint8_t length_bytes = 1;   // Size of the length of its last value, so the next value need not be moved.
  static constexpr std::uint32_t none = 0xffffffff;
};

// Position of a walk over a value (walker.h). Declared here, because the pool lends the memory of one walk at a time.
struct WalkFrame {
  const Definition* definition = nullptr;  // Null: an interface value before its type id.
  std::uint64_t left = 0;  // slice, array, map: remaining elements, or keys and values; struct: next field number.
};

class TypePool {
 public:
  TypePool();
  TypePool(const TypePool&) = delete;
  TypePool& operator=(const TypePool&) = delete;
  ~TypePool();

  // The shared definition with exactly these bytes, held until `release`.
  const Definition* acquire(BytesView bytes, Definition parsed);
  void release(const Definition* definition);

  // A plan for equal definitions and an equal type is stored once.
  const Plan* acquire(Plan plan);
  void release(const Plan* plan);

  const OutgoingType& outgoing(const wire::Type& type);
  const OutgoingType& outgoing_at(std::uint32_t index) const { return *announced_[index]; }
  const OutgoingType& any_map() const { return *announced_[0]; }    // map[string]interface {}
  const OutgoingType& any_slice() const { return *announced_[1]; }  // []interface {}
  std::size_t outgoing_count() const { return announced_.size(); }

  std::vector<WalkFrame>& walk_frames() { return walk_frames_; }
  struct Counts {
    std::size_t definitions, plans, outgoing;
  };
  Counts counts() const { return {definitions_.size(), plans_.size(), announced_.size()}; }

 private:
  OutgoingType& announce(const wire::Type& type);
  void close(OutgoingType& root);
  struct PlanOrder {
    using is_transparent = void;
    bool operator()(const std::unique_ptr<Plan>& a, const std::unique_ptr<Plan>& b) const { return a->key < b->key; }
    bool operator()(const std::unique_ptr<Plan>& a, const Plan::Key& b) const { return a->key < b; }
    bool operator()(const Plan::Key& a, const std::unique_ptr<Plan>& b) const { return a < b->key; }
  };

  std::unordered_map<std::string_view, std::unique_ptr<Definition>> definitions_;  // Keyed by bytes().
  std::map<std::unique_ptr<Plan>, bool, PlanOrder> plans_;
  std::unordered_map<const wire::Type*, std::unique_ptr<OutgoingType>> outgoing_;
  std::vector<OutgoingType*> announced_;  // By index; the first two belong to interface values.
  std::vector<std::unique_ptr<OutgoingType>> own_;
  std::vector<WalkFrame> walk_frames_;
};

}  // namespace parlance::gob

// SPDX-License-Identifier: Apache-2.0
// What the streams of one thread share, so that an idle connection costs a few hundred bytes:
// definitions that came with the same bytes, the plans to read them, and what this side announces about its own types.
// One pool for a server or a client program; streams hold it by shared_ptr. Used from one thread; nothing in it is per stream.
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

// A type of ours as it is announced to the other side. Ids belong to the pool, as Go's belong to the process.
struct OutgoingType {
  TypeId id = 0;
  bool is_struct = false;
  std::uint32_t index = none;              // among the types that need a definition; `none` for builtin ones
  std::string definition{};                // the whole message, with its length
  std::vector<std::uint32_t> refers_to{};  // indexes of what the definition mentions
  std::vector<std::uint32_t>
      needs{};            // indexes of all definitions that a value takes, in the order to send them; made on first use
  std::string refusal{};  // not empty: this type cannot travel as gob, and why
  mutable std::uint8_t length_bytes = 1;  // that the length of its last value took, so that of the next is not moved to make room
  static constexpr std::uint32_t none = 0xffffffff;
};

// Where a walk over a value stands; walker.h says how. Here because the pool lends the memory of one walk at a time.
struct WalkFrame {
  const Definition* definition = nullptr;  // null: an interface value whose type id comes next
  std::uint64_t left = 0;  // slice, array, map: elements or keys and values still to come; struct: next field number
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

  // A plan that reads the same definitions into the same type is kept once.
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

  std::unordered_map<std::string_view, std::unique_ptr<Definition>> definitions_;  // keyed by bytes()
  std::map<std::unique_ptr<Plan>, bool, PlanOrder> plans_;
  std::unordered_map<const wire::Type*, std::unique_ptr<OutgoingType>> outgoing_;
  std::vector<OutgoingType*> announced_;  // by index; the first two belong to interface values
  std::vector<std::unique_ptr<OutgoingType>> own_;
  std::vector<WalkFrame> walk_frames_;
};

}  // namespace parlance::gob

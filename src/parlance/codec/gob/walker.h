// SPDX-License-Identifier: Apache-2.0
// Skips a value by decoding it. This is the only safe way: byte counts inside interface values are too small if a sender cut the
// value (Go's own decoder fails on this). Keeps its position on an explicit stack, because a cut value continues in the next
// message. One thread at a time.
#pragma once

#include <vector>

#include "parlance/codec/gob/type_table.h"

namespace parlance::gob {

class Walker {
 public:
  enum class Outcome : std::uint8_t {
    done,        // The cursor is after the whole value.
    definition,  // A type definition is inside the value. The cursor is after its (negative) id, see `defined_id`.
    fault,       // The value does not match its type, or exceeds a limit. The cursor has the fault.
  };

  Walker(const TypeTable& types, const Limits& limits, std::vector<WalkFrame>& frames)
      : types_(types),
        depth_(static_cast<std::size_t>(limits.depth)),
        name_bytes_(limits.name_bytes),
        message_bytes_(limits.message_bytes),
        frames_(frames),
        base_(frames.size()) {}
  ~Walker() { frames_.resize(base_); }
  Walker(const Walker&) = delete;
  Walker& operator=(const Walker&) = delete;

  // Value of type `id` at the cursor, without the zero byte in front of values other than structs.
  Outcome start(Cursor& cursor, TypeId id);
  // Continues after a definition, or with saved frames of an earlier walk.
  Outcome resume(Cursor& cursor);

  std::int64_t defined_id() const { return defined_id_; }
  std::size_t definition_at() const { return definition_at_; }  // Begin of this id, whose encoding may be longer than necessary.

 private:
  Outcome concrete_value(Cursor& cursor);
  bool value(Cursor& cursor, TypeId id);
  bool own_value(Cursor& cursor, TypeId id);
  bool fits(const Definition& definition, std::uint64_t count, std::size_t bytes_left) const;
  bool interface_value(Cursor& cursor);
  bool push(Cursor& cursor, const Definition* definition, std::uint64_t left);

  const TypeTable& types_;
  std::size_t depth_;
  std::size_t name_bytes_;
  std::size_t message_bytes_;
  std::vector<WalkFrame>& frames_;
  std::size_t base_;
  std::int64_t defined_id_ = 0;
  std::size_t definition_at_ = 0;
};

}  // namespace parlance::gob

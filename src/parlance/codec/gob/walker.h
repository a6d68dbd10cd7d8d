// SPDX-License-Identifier: Apache-2.0
// Steps over a value by decoding and discarding it: the only safe way, since the byte counts inside interface values cover too
// little where a sender cut the value (Go's own decoder trips over that). Keeps its place on an explicit stack, because a cut
// value goes on in the next message. One thread at a time.
#pragma once

#include <vector>

#include "parlance/codec/gob/type_table.h"

namespace parlance::gob {

class Walker {
 public:
  enum class Outcome : std::uint8_t {
    done,        // the whole value is behind the cursor
    definition,  // a type definition stands inside the value: the cursor is behind its (negative) id, see `defined_id`
    fault,       // the value does not fit its type, or a limit is passed; the cursor says what
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

  // `id`'s value stands at the cursor, without the zero byte in front of what is no struct.
  Outcome start(Cursor& cursor, TypeId id);
  // Goes on after a definition, or with frames saved from an earlier walk.
  Outcome resume(Cursor& cursor);

  std::int64_t defined_id() const { return defined_id_; }
  std::size_t definition_at() const { return definition_at_; }  // where that id begins, which may be longer than it needs to be

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

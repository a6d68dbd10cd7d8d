// SPDX-License-Identifier: Apache-2.0
// JSON as a gob interface value, and sizes before their contents. One thread at a time.
//
// A sender may use only names known to the other side: bool, int, float64, string, map[string]interface {} and []interface {}.
// Integers become int, or float64 if out of range; null is nil.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/codec/gob/type_pool.h"
#include "parlance/codec/json/reader.h"

namespace parlance::gob {

// Counts are known only after the counted contents are written. Notes taken during writing are resolved by a single pass from
// the back, so that nested values move only once.
class Counts {
 public:
  std::size_t open(const std::string& out) {  // Place of a count.
    notes_.push_back({out.size(), extra_});
    return notes_.size() - 1;
  }
  void close(std::size_t note, std::uint64_t count) {
    notes_[note].value = count;
    extra_ += uint_size(count);
  }
  // Bytes written since the note, with the counts closed since then.
  std::uint64_t bytes_since(std::size_t note, const std::string& out) const {
    return out.size() - notes_[note].at + (extra_ - notes_[note].value);
  }
  bool empty() const { return notes_.empty(); }
  void put_in(std::string& out);  // Clears the notes.

 private:
  struct Note {
    std::size_t at;
    std::uint64_t value;  // While open: the value of `extra_` at that time.
  };
  std::vector<Note> notes_;
  std::uint64_t extra_ = 0;  // Bytes of the closed counts.
};

struct InterfaceNeeds {  // Definitions needed by the values so far.
  bool any_map = false;
  bool any_slice = false;
};

// Writes JSON as an interface value.
class InterfaceWriter {
 public:
  InterfaceWriter(const TypePool& pool, std::string& out, Counts& counts, InterfaceNeeds& needs)
      : pool_(pool), out_(out), counts_(counts), needs_(needs) {}

  // `depth`: number of levels left.
  Result<void> write(std::string_view json, int depth);

 private:
  bool value(json::Reader& reader);
  bool number(std::string_view text);
  bool object(json::Reader& reader);
  bool array(json::Reader& reader);
  void head(std::string_view name, TypeId id) {
    write_bytes(out_, name);
    write_int(out_, id);
  }

  const TypePool& pool_;
  std::string& out_;
  Counts& counts_;
  InterfaceNeeds& needs_;
};

}  // namespace parlance::gob

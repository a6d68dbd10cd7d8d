// SPDX-License-Identifier: Apache-2.0
// JSON as a gob interface value, and the sizes that come before their contents. One thread at a time.
//
// A sender may use only the names that the other side knows: bool, int, float64, string, map[string]interface {} and
// []interface {}. Integers become int, or float64 where they do not fit; null is nil.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/codec/gob/type_pool.h"
#include "parlance/codec/json/reader.h"

namespace parlance::gob {

// Counts are known only when what they count is written. They are noted while writing and put in by one pass from the back,
// so that nested values are not moved once for each level around them.
class Counts {
 public:
  std::size_t open(const std::string& out) {  // a count belongs here
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
  void put_in(std::string& out);  // and forgets them

 private:
  struct Note {
    std::size_t at;
    std::uint64_t value;  // while open: `extra_` at that time
  };
  std::vector<Note> notes_;
  std::uint64_t extra_ = 0;  // bytes that the closed counts will take
};

struct InterfaceNeeds {  // definitions that the values written so far refer to
  bool any_map = false;
  bool any_slice = false;
};

// Writes JSON as one interface value.
class InterfaceWriter {
 public:
  InterfaceWriter(const TypePool& pool, std::string& out, Counts& counts, InterfaceNeeds& needs)
      : pool_(pool), out_(out), counts_(counts), needs_(needs) {}

  // `depth`: levels that may still be opened.
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

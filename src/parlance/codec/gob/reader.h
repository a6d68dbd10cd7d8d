// SPDX-License-Identifier: Apache-2.0
// Follows a plan: fills a declared message from a value that was walked over before. One thread at a time.
#pragma once

#include <string>

#include "parlance/codec/gob/type_table.h"

namespace parlance::gob {

class PlanReader {
 public:
  PlanReader(const TypeTable& types, const Plan& plan, const Limits& limits)
      : types_(types), steps_(plan.steps.data()), limits_(limits), budget_(limits.value_bytes) {}

  bool read(Cursor& cursor, void* into) { return value(cursor, steps_[0], into); }
  std::string fault_text() const;  // "value for "Limit" out of range (at $.Hits[3].Limit)"

 private:
  bool value(Cursor& cursor, const Step& step, void* into);
  bool structure(Cursor& cursor, const Step& step, void* into);
  bool list(Cursor& cursor, const Step& step, void* into);
  bool byte_list(Cursor& cursor, const Step& step, void* into);
  bool map(Cursor& cursor, const Step& step, void* into);
  bool enumeration(Cursor& cursor, const Step& step, void* into);
  bool raw(Cursor& cursor, const Step& step, void* into);
  bool skip(Cursor& cursor, TypeId id);
  bool integer(const Step& step, void* into, wire::AnyInteger number);
  bool refuse(std::string why);
  bool charge(std::size_t bytes);

  const TypeTable& types_;
  const Step* steps_;
  const Limits& limits_;
  std::size_t budget_;
  std::string fault_;
  std::string path_;  // built from the inside out while the reader unwinds
};

}  // namespace parlance::gob

// SPDX-License-Identifier: Apache-2.0
// The sending side of a gob stream, with its announced types. No I/O. Used by the thread of its pool only.
//
// Mapping of our kinds:
//   boolean              bool
//   integer              int or uint by its sign
//   number               float
//   text, enumeration    string
//   bytes                bytes; also lists of 8-bit unsigned integers
//   list, map, object    slice, map[string]T, struct
//   optional<T>          T, omitted if empty
//   Raw                  an interface value of its JSON (interface.h)
// A union has no gob form. Zero fields are omitted except structs, as in Go. Every definition precedes the value that needs it,
// never inside, once for each stream.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/codec/gob/interface.h"
#include "parlance/codec/gob/type_pool.h"
#include "parlance/wire/call.h"
#include "parlance/wire/describe.h"

namespace parlance::gob {

class Encoder {
 public:
  explicit Encoder(std::shared_ptr<TypePool> pool = nullptr, Limits limits = {});

  // Appends the unsent definitions of this stream, then the value, each as whole messages. After a failure, `out` and the
  // announced types are unchanged.
  Result<void> encode(std::string& out, const wire::Type& type, const void* value);
  template <class T>
  Result<void> encode(std::string& out, const T& value) {
    return encode(out, wire::type_of<T>(), &value);
  }
  // struct{}: the body of an error answer.
  Result<void> encode_nothing(std::string& out) { return encode(out, wire::Nothing{}); }

  std::size_t memory_bytes() const;  // Memory of this stream alone, without the pool.

  // For another encoder of the same stream (described.h): appends the definitions that interface values need and lack.
  void announce_interfaces(std::string& out, const InterfaceNeeds& needs);
  const TypePool& pool() const { return *pool_; }

 private:
  class ValueWriter;
  bool is_announced(std::uint32_t index) const {
    return index / 64 < announced_.size() && (announced_[index / 64] >> index % 64 & 1) != 0;
  }
  void announce(std::string& out, std::uint32_t index);

  std::shared_ptr<TypePool> pool_;
  Limits limits_;
  std::vector<std::uint64_t> announced_;  // One bit for each type of the pool.
};

}  // namespace parlance::gob

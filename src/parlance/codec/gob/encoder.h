// SPDX-License-Identifier: Apache-2.0
// One direction of one gob stream, sending side: keeps what has been announced. No I/O. One thread, the thread of its pool.
//
// How our kinds travel: boolean bool · integer int or uint by its sign · number float · text and enumeration string ·
// bytes and lists of 8-bit unsigned integers bytes · list slice · map map[string]T · object struct · optional<T> T, left out when
// empty · Raw an interface value made of its JSON (interface.h). A union has no gob form. Zero fields are left out, structs
// excepted, as in Go. Every definition goes out before the value that needs it, never inside, and once for each stream.
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

  // Appends the definitions that this stream has not sent yet and then the value, each as whole messages.
  // On failure `out` and what counts as announced are as before.
  Result<void> encode(std::string& out, const wire::Type& type, const void* value);
  template <class T>
  Result<void> encode(std::string& out, const T& value) {
    return encode(out, wire::type_of<T>(), &value);
  }
  // struct{}: the body of an error answer.
  Result<void> encode_nothing(std::string& out) { return encode(out, wire::Nothing{}); }

  std::size_t memory_bytes() const;  // of this stream alone, without the pool

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
  std::vector<std::uint64_t> announced_;  // one bit for each type of the pool
};

}  // namespace parlance::gob

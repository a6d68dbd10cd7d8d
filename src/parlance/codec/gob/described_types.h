// SPDX-License-Identifier: Apache-2.0
// Types in Go's text notation (described.h), and their definitions for a stream. One thread at a time.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/codec/gob/type_pool.h"

namespace parlance::gob {

// Parts of a type are other types, by their index in the stream.
struct DescribedType {
  TypeId id = 0;
  Shape shape = Shape::opaque;  // opaque: a builtin type.
  std::size_t key = 0;
  std::size_t element = 0;
  std::uint64_t length = 0;
  std::string name{};
  std::vector<std::pair<std::string, std::size_t>> fields{};
  bool announced = false;
};

// The types of a sending stream.
class DescribedTypes {
 public:
  // Index of the type with this text. The caller discards the parts of a failed type.
  Result<std::size_t> parse(std::string_view text);
  void forget_from(std::size_t count);

  std::size_t size() const { return types_.size(); }
  const DescribedType& operator[](std::size_t place) const { return types_[place]; }

  // Definitions of this type and of its parts that were not sent yet.
  void announce(std::string& out, std::size_t place);

 private:
  class Parser;
  std::string definition_of(const DescribedType& type) const;

  std::vector<DescribedType> types_;
  std::map<std::string, std::size_t, std::less<>> names_;  // Named structs.
};

}  // namespace parlance::gob

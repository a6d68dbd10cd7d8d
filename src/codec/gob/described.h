// Values whose type is written out, for people who make gob by hand:
//
//   encoder.encode(out, "struct Request { ServiceMethod string; Seq uint }", value)
//   encoder.encode(out, "Request", another)          // a named struct is known from then on
//
// The notation is Go's: bool, string, int and uint of any width, float32/float64, complex64/complex128, []byte, []T, [3]T,
// map[K]T, interface{} or any, struct [Name] { A, B int; C []Name }. Also gob's own words float, bytes, complex, interface.
// A type may refer to a named struct that is being declared. Fields are separated by semicolons or new lines.
// Values are JSON as any.h writes it, plain or annotated (interface values plain only). One thread at a time.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codec/gob/type_pool.h"
#include "codec/json/value.h"

namespace parlance::gob {

// One sending stream. On failure `out` and what counts as announced are as before.
class DescribedEncoder {
 public:
  explicit DescribedEncoder(Limits limits = {}) : limits_(limits) {}
  Result<void> encode(std::string& out, std::string_view type, const json::Value& value);
  Result<void> declare(std::string_view type);  // The same without a value: is it a type, and from now on a known one.

  struct Node {
    TypeId id = 0;
    Shape shape = Shape::opaque;  // opaque: builtin
    std::size_t key = 0;          // indexes of nodes
    std::size_t element = 0;
    std::uint64_t length = 0;
    std::string name{};
    std::vector<std::pair<std::string, std::size_t>> fields{};
    bool announced = false;
  };

 private:
  friend class TypeParser;
  Result<std::size_t> root_of(std::string_view type);
  std::string definition_of(const Node& node) const;
  void announce(std::string& out, std::size_t node);
  void forget_from(std::size_t count);

  Limits limits_;
  TypePool pool_;  // for the two types of interface values
  bool map_announced_ = false;
  bool slice_announced_ = false;
  std::vector<Node> nodes_;
  std::map<std::string, std::size_t, std::less<>> names_;  // named structs
  std::map<std::string, std::size_t, std::less<>> texts_;  // whole types seen before
};

}  // namespace parlance::gob

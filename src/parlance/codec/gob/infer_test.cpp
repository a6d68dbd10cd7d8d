// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/infer.h"

#include <gmock/gmock.h>

#include "parlance/codec/gob/decoder.h"
#include "parlance/codec/gob/described.h"
#include "parlance/codec/gob/limits.h"
#include "parlance/codec/gob/message.h"

namespace parlance::gob {
namespace {

using testing::HasSubstr;

std::string type_of(std::string_view text) {
  const auto inferred = infer(json::parse(text).value());
  return inferred ? inferred->type : inferred.error().message;
}

// The value as read by a Go program, as JSON.
std::string there_and_back(std::string_view text) {
  const auto inferred = infer(json::parse(text).value());
  if (!inferred) return inferred.error().message;
  std::string stream;
  DescribedEncoder encoder;
  if (const auto encoded = encoder.encode(stream, inferred->type, inferred->value); !encoded) return encoded.error().message;
  Decoder decoder;
  std::string read;
  for (BytesView rest = stream; !rest.empty();) {
    const Split split = split_message(rest, limits::gob_message_bytes);
    EXPECT_EQ(split.state, Split::State::message);
    const auto progress = decoder.feed(split.message);
    EXPECT_TRUE(progress) << progress.error().message;
    if (progress && *progress == Progress::value) EXPECT_TRUE(decoder.read_json(read));
    rest.remove_prefix(split.consumed);
  }
  return read;
}

TEST(Infer, AnObjectIsAStructWithExportedFields) {
  EXPECT_EQ(type_of(R"({"name":"tea","Count":2,"big":18446744073709551615,"Price":2.5,"On":true})"),
            "struct { Name string; Count int; Big uint; Price float64; On bool }");
  EXPECT_EQ(type_of("{}"), "struct { }");
  EXPECT_EQ(type_of(R"({"A":{"B":{"C":1}}})"), "struct { A struct { B struct { C int } } }");
  EXPECT_EQ(there_and_back(R"({"name":"tea","A":{"b":-3}})"), R"({"Name":"tea","A":{"B":-3}})");
}

TEST(Infer, AListHasTheCommonTypeOfItsElements) {
  EXPECT_EQ(type_of(R"({"A":[1,2.5],"B":["x"],"C":[[1],[]],"D":[1,"x"]})"),
            "struct { A []float64; B []string; C [][]int; D []interface{} }");
  EXPECT_EQ(type_of(R"([{"A":1},{"B":"x","A":2.5},null])"), "[]struct { A float64; B string }");
  EXPECT_EQ(there_and_back(R"({"A":[{"x":1},{"y":[2.5,1]}]})"), R"({"A":[{"X":1},{"Y":[2.5,1]}]})");
  EXPECT_EQ(there_and_back(R"({"D":[1,{"lower":[null,true]},"x"]})"), R"({"D":[1,{"lower":[null,true]},"x"]})")
      << "interface values keep their names";
}

TEST(Infer, EmptyValuesAreOmitted) {
  EXPECT_EQ(type_of(R"({"A":null,"B":[],"C":{},"D":1})"), "struct { D int }");
  EXPECT_EQ(there_and_back(R"({"A":null,"B":[],"C":{},"D":1})"), R"({"D":1})");
  EXPECT_THAT(type_of("null"), HasSubstr("no type can be told"));
  EXPECT_THAT(type_of("[]"), HasSubstr("no type can be told"));
}

TEST(Infer, AHintSetsTheTypeOfAField) {
  EXPECT_EQ(type_of(R"({"size:uint":3,"Tags:map[string]int":{"a b":1},"Raw:[]byte":"aGk="})"),
            "struct { Size uint; Tags map[string]int; Raw []byte }");
  EXPECT_EQ(there_and_back(R"({"size:uint":3,"Tags:map[string]int":{"a b":1},"Raw:[]byte":"aGk="})"),
            R"({"Size":3,"Tags":{"a b":1},"Raw":"aGk="})");
  EXPECT_THAT(there_and_back(R"({"A:uint":-1})"), HasSubstr("an integer that is not negative"));
  EXPECT_THAT(there_and_back(R"({"A:nonsense":1})"), HasSubstr("unknown type nonsense"));
}

TEST(Infer, AnInvalidFieldNameIsReported) {
  EXPECT_THAT(type_of(R"({"a b":1})"), HasSubstr("can be no field"));
  EXPECT_THAT(type_of(R"({"A":[{"":1}]})"), HasSubstr("A: [0]"));
  EXPECT_THAT(type_of(R"({"a":1,"A":2})"), HasSubstr("two fields are called A"));
  std::string deep = "1";
  for (int i = 0; i < limits::gob_depth + 2; ++i) deep = "[" + deep + "]";
  EXPECT_THAT(type_of(deep), HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace parlance::gob

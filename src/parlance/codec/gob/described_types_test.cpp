// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/described_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/gob/limits.h"

namespace parlance::gob {
namespace {

using ::testing::HasSubstr;

std::string fault_of(std::string_view text) {
  DescribedTypes types;
  const auto parsed = types.parse(text);
  return parsed ? "a type" : parsed.error().message;
}

TEST(DescribedTypes, KnowTheWordsOfGo) {
  DescribedTypes types;
  const auto id = [&](std::string_view name) { return types[*types.parse(name)].id; };
  for (const char* name : {"int", "int8", "int16", "int32", "int64", "rune"}) EXPECT_EQ(id(name), id_int) << name;
  for (const char* name : {"uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "byte"})
    EXPECT_EQ(id(name), id_uint) << name;
  for (const char* name : {"float32", "float64", "float"}) EXPECT_EQ(id(name), id_float) << name;
  for (const char* name : {"complex64", "complex128", "complex"}) EXPECT_EQ(id(name), id_complex) << name;
  for (const char* name : {"[]byte", "[]uint8", "[ ] byte", "bytes"}) EXPECT_EQ(id(name), id_bytes) << name;
  for (const char* name : {"interface{}", "interface { }", "any", "interface"}) EXPECT_EQ(id(name), id_interface) << name;
  EXPECT_EQ(id("bool"), id_bool);
  EXPECT_EQ(id("string"), id_string);
  EXPECT_EQ(id("***int"), id_int) << "pointers do not exist on the wire";
}

TEST(DescribedTypes, AnArrayOfBytesIsNoBytes) {
  DescribedTypes types;
  const DescribedType array = types[*types.parse("[3]byte")];
  EXPECT_EQ(array.shape, Shape::array);
  EXPECT_EQ(array.length, 3U);
  EXPECT_EQ(types[array.element].id, id_uint);
}

TEST(DescribedTypes, TypesAreMadeOfTypes) {
  DescribedTypes types;
  const DescribedType map = types[*types.parse("map[string][]struct { A, B int; C *string\n D any }")];
  EXPECT_EQ(map.shape, Shape::map);
  EXPECT_EQ(types[map.key].id, id_string);
  const DescribedType list = types[map.element];
  EXPECT_EQ(list.shape, Shape::slice);
  const DescribedType object = types[list.element];
  ASSERT_EQ(object.fields.size(), 4U);
  EXPECT_EQ(object.fields[1].first, "B");
  EXPECT_EQ(object.fields[0].second, object.fields[1].second);
  EXPECT_EQ(types[object.fields[3].second].id, id_interface);
  EXPECT_NE(object.id, list.id);
  EXPECT_GE(object.id, 64) << "below are the types that every Go program knows";
}

TEST(DescribedTypes, AStructMayContainItself) {
  DescribedTypes types;
  const std::size_t node = *types.parse("struct Node { Next *Node; Children []Node }");
  EXPECT_EQ(types[node].fields[0].second, node);
  EXPECT_EQ(types[types[node].fields[1].second].element, node);
  EXPECT_EQ(*types.parse("Node"), node);
  EXPECT_EQ(types[*types.parse("[]Node")].element, node);
}

TEST(DescribedTypes, AFaultNamesTheCharacter) {
  EXPECT_EQ(fault_of(""), "type, character 1: expected a type");
  EXPECT_EQ(fault_of("nonsense"), "type, character 9: unknown type nonsense");
  EXPECT_EQ(fault_of("[]int x"), "type, character 7: something follows the type");
  EXPECT_EQ(fault_of("[3int"), "type, character 6: expected ] or a length");
  EXPECT_EQ(fault_of("[-1]int"), "type, character 2: expected ] or a length");
  EXPECT_EQ(fault_of("[99999999999999999999]int"), "type, character 22: expected ] or a length");
  EXPECT_EQ(fault_of("map int"), "type, character 5: expected [");
  EXPECT_EQ(fault_of("map[string int"), "type, character 12: expected ]");
  EXPECT_EQ(fault_of("struct A int"), "type, character 10: expected {");
  EXPECT_THAT(fault_of("interface{ x }"), HasSubstr("expected }"));
  EXPECT_THAT(fault_of("struct { A int B int }"), HasSubstr("expected ; or }"));
  EXPECT_THAT(fault_of("struct { A, int }"), HasSubstr("expected a type"));
  EXPECT_THAT(fault_of("struct { , A int }"), HasSubstr("expected the name of a field"));
  EXPECT_THAT(fault_of("struct { A int"), HasSubstr("expected the name of a field"));
  EXPECT_THAT(fault_of("struct { A int; A string }"), HasSubstr("field A is declared twice"));
  EXPECT_THAT(fault_of("struct { A struct X { }; B struct X { } }"), HasSubstr("struct X is declared already"));
}

TEST(DescribedTypes, EveryPrefixOfATypeIsRefused) {
  const std::string text = "struct Outer { A, B map[string][]uint8; C [3]struct { D *Outer }; E interface{} }";
  EXPECT_EQ(fault_of(text), "a type");
  for (std::size_t size = 0; size < text.size(); ++size) EXPECT_NE(fault_of(text.substr(0, size)), "a type") << size;
}

TEST(DescribedTypes, NestingHasALimit) {
  const auto deep = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += "[]";
    return text + "int";
  };
  EXPECT_EQ(fault_of(deep(limits::gob_depth)), "a type");
  EXPECT_THAT(fault_of(deep(limits::gob_depth + 1)), HasSubstr("nested too deeply"));
}

TEST(DescribedTypes, AFailedTypeLeavesNoParts) {
  DescribedTypes types;
  ASSERT_TRUE(types.parse("struct Kept { A int }"));
  const std::size_t before = types.size();
  ASSERT_FALSE(types.parse("struct Half { A struct Inner { B int }; C nonsense }"));
  types.forget_from(before);
  EXPECT_EQ(types.size(), before);
  EXPECT_THAT(types.parse("Half").error().message, HasSubstr("unknown type Half"));
  EXPECT_THAT(types.parse("Inner").error().message, HasSubstr("unknown type Inner"));
  EXPECT_TRUE(types.parse("Kept"));
  EXPECT_TRUE(types.parse("struct Half { A int }"));
}

TEST(DescribedTypes, ADefinitionIsReportedOnce) {
  DescribedTypes types;
  const std::size_t root = *types.parse("struct A { B []struct C { D int }; E map[string]int }");
  std::string first;
  types.announce(first, root);
  EXPECT_FALSE(first.empty());
  std::string again;
  types.announce(again, root);
  EXPECT_EQ(again, "");
  types.announce(again, *types.parse("C"));
  EXPECT_EQ(again, "") << "it went along with the other";
  types.announce(again, *types.parse("int"));
  EXPECT_EQ(again, "") << "every Go program knows it";
  types.announce(again, *types.parse("[]A"));
  EXPECT_LT(again.size(), first.size());
  EXPECT_FALSE(again.empty());
}

}  // namespace
}  // namespace parlance::gob

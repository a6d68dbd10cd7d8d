// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/schema/pointer.h"

#include <gtest/gtest.h>

namespace parlance::schema {
namespace {

// The example of RFC 6901, section 5.
const json::Value document =
    *json::parse(R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8})");

std::string at(std::string_view pointer) {
  const json::Value* found = at_pointer(document, pointer);
  return found == nullptr ? "nothing" : json::to_text(*found);
}

TEST(Pointer, TheExamplesOfTheRfc) {
  EXPECT_EQ(at_pointer(document, ""), &document);
  EXPECT_EQ(at("/foo"), R"(["bar","baz"])");
  EXPECT_EQ(at("/foo/0"), R"("bar")");
  EXPECT_EQ(at("/"), "0");
  EXPECT_EQ(at("/a~1b"), "1");
  EXPECT_EQ(at("/c%d"), "2");
  EXPECT_EQ(at("/e^f"), "3");
  EXPECT_EQ(at("/g|h"), "4");
  EXPECT_EQ(at("/i\\j"), "5");
  EXPECT_EQ(at("/k\"l"), "6");
  EXPECT_EQ(at("/ "), "7");
  EXPECT_EQ(at("/m~0n"), "8");
}

TEST(Pointer, AMissingPlaceIsAbsent) {
  for (const char* pointer :
       {"/bar", "/foo/2", "/foo/-", "/foo/x", "/foo/0/0", "/foo/", "/a/b", "/foo/-1", "/foo/1.0", "/foo/01", "/foo/00", "//"})
    EXPECT_EQ(at(pointer), "nothing") << pointer;
  EXPECT_EQ(at("/foo/99999999999999999999999999"), "nothing");
}

TEST(Pointer, AnInvalidEscapeFindsNoPlace) {
  EXPECT_EQ(at("/m~"), "nothing");
  EXPECT_EQ(at("/~"), "nothing");
}

TEST(Pointer, AStepWithAnyNameIsFoundAgain) {
  for (const auto& [name, value] : document.object()->members)
    EXPECT_EQ(at_pointer(document, "/" + pointer_step(name)), &value) << name;
  EXPECT_EQ(pointer_step("~1"), "~01");
  EXPECT_EQ(pointer_step("/~/"), "~1~0~1");
}

}  // namespace
}  // namespace parlance::schema

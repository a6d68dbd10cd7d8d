// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "parlance/wire/call.h"

namespace parlance::wire {
namespace {

enum class Colour { red, green };
constexpr auto wire_names(Colour) { return names("red", "green"); }

struct Point {
  int x = 0;
  std::optional<double> y{};
  std::vector<std::string> tags{};
  std::map<std::string, std::int64_t> counts{};
  Open<Colour> colour{};
  static constexpr auto wire =
      fields(field<&Point::x>("x", "Across."), field<&Point::y>("y", "Up."), field<&Point::tags>("tags", "Words.").or_default(),
             field<&Point::counts>("counts", "Tallies."), field<&Point::colour>("colour", "Paint.").also("color"));
};

TEST(Describe, FieldsSayNameKindAndPresence) {
  const Type& type = type_of<Point>();
  ASSERT_EQ(type.kind, Kind::object);
  EXPECT_EQ(type.name, "Point");
  ASSERT_EQ(type.fields.size(), 5U);
  EXPECT_EQ(type.fields[0].name, "x");
  EXPECT_EQ(type.fields[0].presence, Presence::required);
  EXPECT_EQ(type.fields[0].type().kind, Kind::integer);
  EXPECT_EQ(type.fields[1].presence, Presence::optional);
  EXPECT_EQ(type.fields[2].presence, Presence::optional);
  EXPECT_EQ(type.fields[4].alias, "color");
}

TEST(Describe, AccessorsReachTheMembers) {
  Point point;
  const Type& type = type_of<Point>();
  ASSERT_TRUE(write_integer(type.fields[0].type(), type.fields[0].at(&point), AnyInteger::of(std::int64_t{-7})));
  EXPECT_EQ(point.x, -7);
  const Type& tags = type.fields[2].type();
  *static_cast<std::string*>(tags.list->append(type.fields[2].at(&point))) = "word";
  EXPECT_EQ(point.tags, std::vector<std::string>{"word"});
}

TEST(Describe, IntegersThatDoNotFitAreRefused) {
  std::uint8_t byte = 3;
  const Type& type = type_of<std::uint8_t>();
  EXPECT_FALSE(write_integer(type, &byte, AnyInteger::of(std::int64_t{-1})));
  EXPECT_FALSE(write_integer(type, &byte, AnyInteger::of(std::uint64_t{256})));
  EXPECT_EQ(byte, 3);
  EXPECT_TRUE(write_integer(type, &byte, AnyInteger::of(std::uint64_t{255})));
  EXPECT_EQ(byte, 255);
}

TEST(Describe, EnumeratorsHaveTheirWireNames) {
  EXPECT_EQ(name_of(Colour::green), "green");
  EXPECT_EQ(enum_from<Colour>("red"), Colour::red);
  EXPECT_EQ(enum_from<Colour>("blue"), std::nullopt);
}

struct Base {
  std::string id{};
};
struct Around : Base {
  int before = 0;
  Point point{};
  struct Deep {
    Point point{};
  } deep{};
};

TEST(Describe, FieldsOfInnerStructsReachTheirMembers) {
  constexpr auto table = fields(field<&Around::id, Around>("id", "Name."), leaving_out_empty(inlined<Around, &Around::point>()));
  ASSERT_EQ(table.size(), 6U);
  Around around;
  EXPECT_EQ(table[1].name, "x");
  EXPECT_EQ(table[1].at(&around), &around.point.x);
  EXPECT_EQ(table[3].at(&around), &around.point.tags);
  EXPECT_EQ(table[3].owner, table[0].owner);
  EXPECT_TRUE(table[3].omits_empty);
  EXPECT_FALSE(table[1].omits_empty) << "a required field";
  EXPECT_EQ(table[5].alias, "color");

  constexpr auto deep = without("y", inlined<Around, &Around::deep, &Around::Deep::point>());
  ASSERT_EQ(deep.size(), 4U);
  EXPECT_EQ(deep[0].at(&around), &around.deep.point.x);
  EXPECT_EQ(deep[1].name, "tags");

  constexpr Field renamed = field_in<Around, &Around::deep, &Around::Deep::point, &Point::y>("height", "Up.");
  EXPECT_EQ(renamed.at(&around), &around.deep.point.y);
  EXPECT_EQ(renamed.presence, Presence::optional);
}

}  // namespace
}  // namespace parlance::wire

// SPDX-License-Identifier: Apache-2.0
// The tables by which codecs read and write: integers at the ends of their widths, and one door each for lists, maps, optionals,
// enumerations and unions.
#include "parlance/wire/type.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/wire/describe.h"

namespace parlance::wire {
namespace {

// ---- numbers -----------------------------------------------------------------------------------------------------------------------

template <class T>
class Integers : public testing::Test {};
using Widths = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
                              std::uint64_t>;
TYPED_TEST_SUITE(Integers, Widths);

template <class T>
AnyInteger any(T value) {
  if constexpr (std::is_signed_v<T>) return AnyInteger::of(std::int64_t{value});
  else return AnyInteger::of(std::uint64_t{value});
}

TYPED_TEST(Integers, BothLimitsReturnUnchanged) {
  using T = TypeParam;
  const Type& type = type_of<T>();
  for (const T value : {std::numeric_limits<T>::min(), T{0}, T{1}, std::numeric_limits<T>::max()}) {
    T into{5};
    ASSERT_TRUE(write_integer(type, &into, any(value)));
    EXPECT_EQ(into, value);
    const AnyInteger read = read_integer(type, &into);
    EXPECT_EQ(read.negative, std::is_signed_v<T> && value < T{1} && value != T{0});
    EXPECT_EQ(read.magnitude, any(value).magnitude);
  }
}

TYPED_TEST(Integers, AValueBeyondALimitIsRefusedWithoutAChange) {
  using T = TypeParam;
  T into{5};
  const Type& type = type_of<T>();
  if constexpr (sizeof(T) < 8 || std::is_signed_v<T>)
    EXPECT_FALSE(write_integer(type, &into, AnyInteger::of(static_cast<std::uint64_t>(std::numeric_limits<T>::max()) + 1)));
  if constexpr (std::is_unsigned_v<T>) {
    EXPECT_FALSE(write_integer(type, &into, AnyInteger::of(std::int64_t{-1})));
    EXPECT_FALSE(write_integer(type, &into, AnyInteger::of(std::numeric_limits<std::int64_t>::min())));
  } else if constexpr (sizeof(T) < 8) {
    EXPECT_FALSE(write_integer(type, &into, AnyInteger::of(std::int64_t{std::numeric_limits<T>::min()} - 1)));
  }
  EXPECT_EQ(into, T{5});
}

TEST(Numbers, AFloatKeepsTheRepresentablePartOfADouble) {
  float small = 0;
  write_number(type_of<float>(), &small, 0.1);
  EXPECT_EQ(small, 0.1F);
  EXPECT_EQ(read_number(type_of<float>(), &small), static_cast<double>(0.1F));
  double large = 0;
  write_number(type_of<double>(), &large, 0.1);
  EXPECT_EQ(read_number(type_of<double>(), &large), 0.1);
}

// ---- containers --------------------------------------------------------------------------------------------------------------------

TEST(Doors, AListGrowsByFreshElements) {
  std::vector<std::vector<int>> lists{{1}};
  const Type& type = type_of<decltype(lists)>();
  auto* inner = static_cast<std::vector<int>*>(type.list->append(&lists));
  EXPECT_TRUE(inner->empty());
  *static_cast<int*>(type.element().list->append(inner)) = 7;
  ASSERT_EQ(type.list->size(&lists), 2U);
  EXPECT_EQ(*static_cast<const std::vector<int>*>(type.list->at(&lists, 1)), std::vector<int>{7});
}

TEST(Doors, ARepeatedKeyIsAFreshValue) {
  std::map<std::string, std::vector<int>> map;
  const Type& type = type_of<decltype(map)>();
  static_cast<std::vector<int>*>(type.map->insert(&map, "a"))->push_back(1);
  EXPECT_TRUE(static_cast<std::vector<int>*>(type.map->insert(&map, "a"))->empty()) << "the last of two members wins whole";
  type.map->insert(&map, "");
  EXPECT_EQ(type.map->size(&map), 2U);
  std::string keys;
  type.map->each(&map, &keys,
                 [](void* into, std::string_view key, const void*) { static_cast<std::string*>(into)->append(key).append(";"); });
  EXPECT_EQ(keys, ";a;") << "in the order of names, so that output is deterministic";
}

TEST(Doors, AnOptionalIsEmptyUntilSomethingIsPutIn) {
  std::optional<std::string> text;
  const Type& type = type_of<decltype(text)>();
  EXPECT_EQ(type.optional->get(&text), nullptr);
  static_cast<std::string*>(type.optional->emplace(&text))->assign("x");
  EXPECT_EQ(*static_cast<const std::string*>(type.optional->get(&text)), "x");
  type.optional->emplace(&text);
  EXPECT_EQ(text, "") << "put in anew";
  type.reset(&text);
  EXPECT_EQ(text, std::nullopt);
}

TEST(Doors, ANullableDistinguishesAbsentNullAndAValue) {
  using Number = Nullable<int>;
  Number number;
  const Type& type = type_of<Number>();
  const auto state = [&] { return static_cast<Number::State>(type.enumeration->get(&number)); };
  EXPECT_EQ(state(), Number::State::absent);
  type.enumeration->set(&number, static_cast<int>(Number::State::null));
  EXPECT_EQ(state(), Number::State::null);
  EXPECT_EQ(type.optional->get(&number), nullptr);
  *static_cast<int*>(type.optional->emplace(&number)) = 4;
  EXPECT_EQ(state(), Number::State::value);
  EXPECT_EQ(*static_cast<const int*>(type.optional->get(&number)), 4);
}

// ---- enumerations and unions -------------------------------------------------------------------------------------------------------

enum class Mode { ask, allow };
constexpr auto wire_names(Mode) { return names("ask", "allow"); }

TEST(Doors, AnOpenEnumerationKeepsAWordUntilTheNextSet) {
  Open<Mode> mode;
  const Type& type = type_of<Open<Mode>>();
  *type.enumeration->unknown(&mode) = "later";
  EXPECT_EQ(type.enumeration->get(&mode), -1);
  type.enumeration->set(&mode, 1);
  EXPECT_EQ(mode.value, Mode::allow);
  EXPECT_EQ(mode.unknown, "");
  EXPECT_EQ(type_of<Mode>().enumeration->unknown, nullptr) << "a closed one has no place for it";
}

TEST(Doors, AnUnnamedEnumeratorHasNoNameOnTheWire) {
  EXPECT_EQ(name_of(static_cast<Mode>(2)), "");
  EXPECT_EQ(enum_from<Mode>(""), std::nullopt);
  EXPECT_EQ(enum_from<Mode>("Ask"), std::nullopt);
}

struct Circle {
  double radius = 1;
  static constexpr std::string_view tag = "circle";
  static constexpr auto wire = fields(field<&Circle::radius>("radius", "Half of it."));
};
struct Square {
  double side = 2;
  static constexpr std::string_view tag = "square";
  static constexpr auto wire = fields(field<&Square::side>("side", "Of four."));
};
using Shape = Tagged<"kind", Circle, Square, Other>;
using Known = Tagged<"kind", Circle, Square>;

TEST(Doors, AUnionHoldsTheLastValue) {
  Shape shape;
  const Type& type = type_of<Shape>();
  EXPECT_EQ(type.tagged->tag_field, "kind");
  ASSERT_EQ(type.tagged->alternatives().size(), 2U) << "without the alternative for unknown tags";
  EXPECT_EQ(type.tagged->alternatives()[1].tag, "square");
  static_cast<Square*>(type.tagged->emplace(&shape, 1))->side = 9;
  EXPECT_EQ(type.tagged->index(&shape), 1U);
  EXPECT_EQ(static_cast<const Square*>(type.tagged->get(&shape))->side, 9);
  static_cast<Raw*>(type.tagged->emplace(&shape, 2))->json = "{}";
  EXPECT_EQ(std::get<Other>(shape.value).raw.json, "{}");
  EXPECT_EQ(static_cast<const Raw*>(type.tagged->get(&shape))->json, "{}");
  EXPECT_EQ(static_cast<Circle*>(type.tagged->emplace(&shape, 0))->radius, 1) << "fresh";
}

TEST(Doors, AUnionWithoutOtherHasNoPlaceForUnknownTags) {
  Known shape;
  const Type& type = type_of<Known>();
  EXPECT_FALSE(type.tagged->has_other);
  EXPECT_TRUE(type_of<Shape>().tagged->has_other);
  EXPECT_EQ(type.tagged->emplace(&shape, 2), nullptr);
}

struct Everything {
  std::string text = "given";
  std::vector<int> list{1};
  std::optional<int> maybe = 3;
  static constexpr auto wire = fields(field<&Everything::text>("text", "Words."), field<&Everything::list>("list", "Numbers."),
                                      field<&Everything::maybe>("maybe", "Or not."));
};

TEST(Doors, AResetGivesTheInitialValue) {
  Everything all{.text = "x", .list = {}, .maybe = {}};
  type_of<Everything>().reset(&all);
  EXPECT_EQ(all.text, "given");
  EXPECT_EQ(all.list, std::vector<int>{1});
  EXPECT_EQ(all.maybe, 3);
  for (const Field& field : type_of<Everything>().fields) field.type().reset(field.at(&all));
  EXPECT_EQ(all.text, "");
  EXPECT_TRUE(all.list.empty());
  EXPECT_EQ(all.maybe, std::nullopt);
}

// ---- decisions -------------------------------------------------------------------------------------------------------------

static_assert(permits("allow_once") && permits("accepted") && permits("proceed_always") && permits("yes"));
static_assert(!permits("ask") && !permits("reject_once") && !permits("deny") && !permits("") && !permits("cancelled"));

struct Verdict {
  bool approved = false;
  static constexpr auto wire = fields(field<&Verdict::approved>("approved", "Carry it out."));
};
struct Verdicts {
  std::optional<std::vector<Verdict>> all{};
  static constexpr auto wire = fields(field<&Verdicts::all>("all", "One for each."));
};

TEST(Decisions, ATypeDecidesIfAnyPartCanPermit) {
  EXPECT_TRUE(decides(type_of<Mode>()));
  EXPECT_TRUE(decides(type_of<std::vector<Open<Mode>>>()));
  EXPECT_TRUE(decides(type_of<Verdicts>()));
  EXPECT_FALSE(decides(type_of<Shape>()));
  EXPECT_FALSE(decides(type_of<bool>()));
}

}  // namespace
}  // namespace parlance::wire

// SPDX-License-Identifier: Apache-2.0
#include "parlance/wire/call.h"

#include <type_traits>

#include <gtest/gtest.h>

namespace parlance::wire {
namespace {

struct Ask {
  std::string text{};
  static constexpr auto wire = fields(field<&Ask::text>("text", "What is asked."));
};
struct Count {
  int count = 0;
  static constexpr auto wire = fields(field<&Count::count>("count", "How many."));
};

inline constexpr auto table = methods(call<Ask, Count>("ask", "Asks."), call<Ask, Count>("ask/again", "The same once more."),
                                      notice<Count>("counted", "Has no reply."));
inline constexpr const auto& ask = method<table, "ask">;
inline constexpr const auto& again = method<table, "ask/again">;
inline constexpr const auto& counted = method<table, "counted">;

static_assert(std::is_same_v<decltype(again), const Call<Ask, Count>&>);
static_assert(std::is_same_v<decltype(counted), const Notice<Count>&>);

// A method outside the tables cannot be made: neither from its name, nor empty, nor by imitating a table.
template <class M, class... From>
concept Made = requires(From... from) { M{from...}; } || requires(From... from) { M(from...); };
static_assert(!Made<Call<Ask, Count>, std::string_view, std::string_view> && !Made<Call<Ask, Count>, const char*, const char*>);
static_assert(!Made<Notice<Count>, std::string_view, std::string_view> && !Made<Call<Ask, Count>> && !Made<Notice<Count>>);
static_assert(Made<Call<Ask, Count>, Call<Ask, Count>>);  // a copy of a listed method

// Nor from a name outside the table.
template <FixedText Name>
concept Listed = requires { typename std::integral_constant<std::size_t, table.index_of(Name.view())>; };
static_assert(Listed<"ask"> && Listed<"counted"> && !Listed<"count"> && !Listed<"">);

// Only unparsed messages have a call outside the tables.
static_assert(std::is_same_v<decltype(any_call<Count>()), Call<Raw, Count>>);

TEST(Methods, ATableGivesEachMethodItsNameTypesAndSentence) {
  EXPECT_EQ(ask.method, "ask");
  EXPECT_EQ(again.doc, "The same once more.");
  EXPECT_EQ(counted.method, "counted");
  ASSERT_EQ(table.all().size(), 3U);
  EXPECT_EQ(&table.all()[1].parameters(), &type_of<Ask>());
  EXPECT_EQ(&table.all()[1].reply(), &type_of<Count>());
  EXPECT_EQ(table.all()[2].reply, nullptr);
}

inline constexpr auto replies =
    methods(call<Ask, Count>("needs", "Has a result."), call<Ask, Count>("may", "May have one.").or_no_body(),
            call<Ask, Nothing>("nothing", "Has none."), call<Ask, Raw>("raw", "Has any."));

TEST(Methods, OnlyADeclaredReplyMayLackItsBody) {
  std::string optional;
  for (const Method& method : replies.all())
    if (method.body_optional) optional += std::string(method.name) + " ";
  EXPECT_EQ(optional, "may nothing raw ");
  EXPECT_TRUE((method<replies, "may">.as<Raw, Count>().may_lack_body())) << "with any reply type";
}

TEST(Methods, EachVisitsThemAsTheyAreInTheirOrder) {
  std::string seen;
  struct Visitor {
    std::string& text;
    void operator()(const Call<Ask, Count>& call) const { text += "call " + std::string(call.method) + ";"; }
    void operator()(const Notice<Count>& notice) const { text += "notice " + std::string(notice.method) + ";"; }
  };
  table.each(Visitor{seen});
  EXPECT_EQ(seen, "call ask;call ask/again;notice counted;");
}

TEST(Methods, AMethodReadOtherwiseKeepsItsName) {
  constexpr auto raw = ask.as<Raw, Count>();
  EXPECT_EQ(raw.method, "ask");
  static_assert(std::is_same_v<decltype(raw), const Call<Raw, Count>>);
}

}  // namespace
}  // namespace parlance::wire

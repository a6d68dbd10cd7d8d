// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/schema/typescript.h"

#include <gtest/gtest.h>

namespace parlance::schema {
namespace {

using wire::field;
using wire::fields;
using wire::type_of;

enum class Colour : std::uint8_t { red, green };
constexpr auto wire_names(Colour) { return wire::names("red", "dark green"); }

struct Inner {
  double x = 0;
  static constexpr auto wire = fields(field<&Inner::x>("x", ""));
};
struct Everything {
  bool flag = false;
  std::optional<std::int64_t> count{};
  wire::Nullable<std::string> note{};
  std::vector<wire::Nullable<Inner>> list{};
  std::map<std::string, Inner> by_name{};
  wire::Blob data{};
  wire::Raw any{};
  wire::Raw more{};
  std::vector<wire::Raw> events{};
  Colour colour = Colour::red;
  wire::Open<Colour> open{};
  std::string meta{};
  static constexpr auto wire = fields(
      field<&Everything::flag>("flag", "Yes or no."), field<&Everything::count>("count", "Ends with */ and goes on."),
      field<&Everything::note>("note", ""), field<&Everything::list>("list", ""), field<&Everything::by_name>("byName", ""),
      field<&Everything::data>("data", "Its bytes."), field<&Everything::any>("any", ""),
      field<&Everything::more>("more", "").or_default(), field<&Everything::events>("events", "").holding("Inner"),
      field<&Everything::colour>("colour", ""), field<&Everything::open>("open", ""), field<&Everything::meta>("x-meta", ""));
};

struct Empty {
  static constexpr std::string_view tag = "empty";
  static constexpr std::array<wire::Field, 0> wire{};
};
struct Full {
  static constexpr std::string_view tag = "it's full";
  Inner inner{};
  static constexpr auto wire = fields(field<&Full::inner>("inner", "What is in it."));
};
using Either = wire::Tagged<"kind", Empty, Full, wire::Other>;
struct Holder {
  Either one{};
  std::vector<Either> all{};
  static constexpr auto wire = fields(field<&Holder::one>("one", ""), field<&Holder::all>("all", ""));
};

TEST(Typescript, EveryKindOfMemberIsExact) {
  EXPECT_EQ(typescript({.roots = {{.type = &type_of<Everything>()}}}),
            "export interface Everything {\n"
            "  /** Yes or no. */\n"
            "  flag: boolean;\n"
            "  /** Ends with *\\/ and goes on. */\n"
            "  count?: number;\n"
            "  note?: string | null;\n"
            "  list: (Inner | null)[];\n"
            "  byName: Record<string, Inner>;\n"
            "  /** Its bytes. (base64) */\n"
            "  data: string;\n"
            "  any: unknown;\n"
            "  more?: unknown;\n"
            "  events: Inner[];\n"
            "  colour: Colour;\n"
            "  open: Colour | (string & {});\n"
            "  'x-meta': string;\n"
            "}\n"
            "\n"
            "export interface Inner {\n"
            "  x: number;\n"
            "}\n"
            "\n"
            "export type Colour = 'red' | 'dark green';\n");
}

// Unknown variants are not part of the union: a catch-all member would prevent `switch` from narrowing.
TEST(Typescript, AlternativesOfAUnionHaveTheirTagAndNoCatchAll) {
  EXPECT_EQ(
      typescript(
          {.roots = {{.type = &type_of<Either>(), .name = "Either", .suffix = "Case", .head = &type_of<Inner>(), .doc = "One."},
                     {.type = &type_of<Holder>()}}}),
      "export interface EmptyCase extends Inner {\n"
      "  kind: 'empty';\n"
      "}\n"
      "\n"
      "export interface Inner {\n"
      "  x: number;\n"
      "}\n"
      "\n"
      "export interface FullCase extends Inner {\n"
      "  kind: 'it\\'s full';\n"
      "  /** What is in it. */\n"
      "  inner: Inner;\n"
      "}\n"
      "\n"
      "/** One. */\n"
      "export type Either =\n"
      "  | EmptyCase\n"
      "  | FullCase;\n"
      "\n"
      "export interface Holder {\n"
      "  one: Either;\n"
      "  all: Either[];\n"
      "}\n");
}

TEST(Typescript, AnUnnamedUnionIsWrittenOut) {
  const std::string text = typescript({.roots = {{.type = &type_of<Holder>()}}});
  EXPECT_NE(text.find("  one: Empty | Full;\n  all: (Empty | Full)[];\n"), std::string::npos) << text;
}

inline constexpr auto methods =
    wire::methods(wire::call<Inner, wire::Nothing>("notes/keep", "Keeps it."), wire::notice<Full>("seen", ""));

// ACP's ToolCallUpdate is a kind of update with a tag, and a member of a permission request without a tag.
struct AlsoAlone {
  Full full{};
  Either one{};
  static constexpr auto wire = fields(field<&AlsoAlone::full>("full", ""), field<&AlsoAlone::one>("one", ""));
};
TEST(Typescript, ASharedAlternativeHasItsTagInTheUnion) {
  const std::string types = typescript({.roots = {{.type = &type_of<AlsoAlone>()}}});
  EXPECT_NE(types.find("  full: Full;\n  one: Empty | (Full & { kind: 'it\\'s full' });\n"), std::string::npos) << types;
  EXPECT_NE(types.find("export interface Full {\n  /** What is in it. */\n  inner: Inner;\n}\n"), std::string::npos) << types;
}

TEST(Typescript, MethodsAndLookupsNameTheirTypes) {
  EXPECT_EQ(
      typescript(
          {.methods = methods.all(),
           .lookups = {{.name = "Values", .doc = "By name.", .entries = {{"open", &type_of<Inner>()}, {"close", nullptr}}}}}),
      "export interface Inner {\n"
      "  x: number;\n"
      "}\n"
      "\n"
      "export type Nothing = Record<string, never>;\n"
      "\n"
      "export interface Full {\n"
      "  /** What is in it. */\n"
      "  inner: Inner;\n"
      "}\n"
      "\n"
      "export interface Methods {\n"
      "  /** Keeps it. */\n"
      "  'notes/keep': { parameters: Inner; reply: Nothing };\n"
      "}\n"
      "\n"
      "export interface Notices {\n"
      "  seen: { parameters: Full };\n"
      "}\n"
      "\n"
      "/** By name. */\n"
      "export interface Values {\n"
      "  open: Inner;\n"
      "  close: undefined;\n"
      "}\n");
}

struct Stranger {
  wire::Raw event{};
  static constexpr auto wire = fields(field<&Stranger::event>("event", "").holding("Event"));
};
namespace other {
struct Inner {
  bool y = false;
  static constexpr auto wire = fields(field<&Inner::y>("y", ""));
};
}  // namespace other

TEST(TypescriptDeathTest, AnUncompilableTypeIsABugOfTheCaller) {
  EXPECT_DEATH(static_cast<void>(typescript({.roots = {{.type = &type_of<Stranger>()}}})),
               "every type that a field holds is printed");
  EXPECT_DEATH(static_cast<void>(typescript({.roots = {{.type = &type_of<Inner>()}, {.type = &type_of<other::Inner>()}}})),
               "each name is that of one type");
}

}  // namespace
}  // namespace parlance::schema

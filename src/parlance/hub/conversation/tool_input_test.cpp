// SPDX-License-Identifier: Apache-2.0
// The input of a call: all users share one parse.
#include "parlance/hub/conversation/tool_input.h"

#include <gtest/gtest.h>

#include "parlance/hub/conversation/tool_call.h"

namespace parlance::hub {
namespace {

struct Counted {
  std::string text;
};

// A parser with a count of its runs.
struct Reader {
  const Counted& operator()(const ToolInput& input) {
    return input.read_as<Counted>([this](std::string_view json) {
      ++times;
      return Counted{std::string(json)};
    });
  }
  int times = 0;
};

TEST(ToolInput, ConvertsToText) {
  const ToolCall call{.id = "c", .tool = "t", .arguments_json = R"({"a":1})"};
  const std::string text = call.arguments_json;
  const std::string_view view = call.arguments_json;
  EXPECT_EQ(text, R"({"a":1})");
  EXPECT_EQ(view, text);
  EXPECT_EQ(call.arguments_json, text);
  EXPECT_EQ(call.arguments_json.size(), 7U);
  EXPECT_TRUE(ToolInput().empty());
}

TEST(ToolInput, CopiesAreReadOnce) {
  Reader read;
  const ToolCall first{.arguments_json = "{}"};
  const ToolCall second = first;
  const Counted& made = read(first.arguments_json);
  EXPECT_EQ(made.text, "{}");
  EXPECT_EQ(&read(second.arguments_json), &made);
  EXPECT_EQ(read.times, 1);
  EXPECT_EQ(second.arguments_json.read_as<std::size_t>([](std::string_view json) { return json.size(); }), 2U)
      << "as another type it is parsed separately";
  EXPECT_EQ(read(first.arguments_json).text, "{}");
}

TEST(ToolInput, ChangedInputIsParsedAgain) {
  Reader read;
  ToolCall call{.arguments_json = "{}"};
  const ToolCall before = call;
  read(call.arguments_json);
  call.arguments_json = "[]";
  EXPECT_EQ(read(call.arguments_json).text, "[]");
  EXPECT_EQ(read(before.arguments_json).text, "{}") << "earlier holders keep it";
  EXPECT_EQ(read.times, 2);
}

TEST(ToolInput, EmptyInputCanBeParsed) {
  Reader read;
  const ToolInput none;
  EXPECT_EQ(read(none).text, "");
  EXPECT_EQ(read(none).text, "");
  EXPECT_EQ(read.times, 1);
}

TEST(ToolInput, DifferentTypesParseSeparately) {
  const ToolInput input("12");
  const auto length = [&](std::string_view) {
    return static_cast<long>(input.read_as<std::string>([](std::string_view json) { return std::string(json); }).size());
  };
  EXPECT_EQ(input.read_as<long>(length), 2);
}

}  // namespace
}  // namespace parlance::hub

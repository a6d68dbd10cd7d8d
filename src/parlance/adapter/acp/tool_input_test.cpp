// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/acp/tool_input.h"

#include <gtest/gtest.h>

namespace parlance::adapter {
namespace {

std::string text_of(const ToolInput& input) { return json::to_text(json::Value(input.input)); }
std::string enriched(ToolCallParts parts) { return text_of(enrich_tool_input(std::move(parts))); }

TEST(ToolInput, ArgumentsStayAsTheyAre) {
  const ToolInput input = enrich_tool_input({.args = *json::parse(R"({"command":"ls","n":1})"), .label = "Shell: ls"});
  EXPECT_EQ(text_of(input), R"({"command":"ls","n":1})");
  EXPECT_EQ(input.label, "Shell: ls");
  EXPECT_EQ(enriched({}), "{}");
  EXPECT_EQ(enriched({.args = "no object"}), "{}");
}

TEST(ToolInput, ContentAndLocationFillWhatIsMissing) {
  EXPECT_EQ(enriched({.content_type = "diff", .path = "/w/b.txt", .old_text = "x", .new_text = "y", .location = "/w/other"}),
            R"({"file_path":"/w/b.txt","content":"y","old_string":"x","_contentType":"diff"})");
  EXPECT_EQ(enriched({.content_type = "markdown", .markdown = "*a*"}), R"({"_markdown":"*a*","_contentType":"markdown"})");
  EXPECT_EQ(enriched({.location = "/w/a.txt"}), R"({"file_path":"/w/a.txt"})");
  EXPECT_EQ(enriched({.new_text = ""}), R"({"content":""})");
}

TEST(ToolInput, TheEarlierPlaceCounts) {
  EXPECT_EQ(enriched({.args = *json::parse(R"({"absolute_path":"/w/a","content":"mine"})"),
                      .path = "/w/b",
                      .new_text = "theirs",
                      .location = "/w/c"}),
            R"({"absolute_path":"/w/a","content":"mine","file_path":"/w/a"})");
  EXPECT_EQ(enriched({.args = *json::parse(R"({"file_path":"/w/1","absolute_path":"/w/2"})"), .path = "/w/3"}),
            R"({"file_path":"/w/1","absolute_path":"/w/2"})");
  EXPECT_EQ(enriched({.args = *json::parse(R"({"absolute_path":7})"), .path = "/w/b"}),
            R"({"absolute_path":7,"file_path":"/w/b"})");
}

TEST(ToolInput, ALabelThatIsTheInputIsReadAndDropped) {
  const ToolInput input = enrich_tool_input({.label = R"(read_file: {"absolute_path":"/w/a"})"});
  EXPECT_EQ(text_of(input), R"({"absolute_path":"/w/a","file_path":"/w/a"})");
  EXPECT_FALSE(input.label);
  // Arguments count more, and the label says nothing that a person would want to read.
  const ToolInput both = enrich_tool_input({.args = *json::parse(R"({"a":1})"), .label = R"(t: {"b":2})"});
  EXPECT_EQ(text_of(both), R"({"a":1})");
  EXPECT_FALSE(both.label);
}

TEST(ToolInput, AnyOtherLabelStays) {
  for (const char* label : {"Edit a.txt", "t: {", "t: {\"a\":}", "t: [1]", ": {\"a\":1}", "note: {braces} in words", "a{b}"}) {
    const ToolInput input = enrich_tool_input({.label = label});
    EXPECT_EQ(text_of(input), "{}") << label;
    EXPECT_EQ(input.label, label);
  }
  EXPECT_FALSE(enrich_tool_input({}).label);
}

// Property: for every subset of sources, the first source in the order of precedence counts, and no source is invented.
TEST(ToolInput, EveryCombinationKeepsThePrecedence) {
  for (unsigned set = 0; set < 32; ++set) {
    const auto has = [set](unsigned bit) { return (set >> bit & 1U) != 0; };
    json::Object args;
    if (has(0)) args.set("file_path", "args");
    if (has(1)) args.set("absolute_path", "absolute");
    ToolCallParts parts{.args = args};
    if (has(2)) parts.label = R"(t: {"file_path":"label"})";
    if (has(3)) parts.path = "content";
    if (has(4)) parts.location = "location";
    const char* expected = has(0)   ? "args"
                           : has(1) ? "absolute"
                           : has(2) ? "label"
                           : has(3) ? "content"
                           : has(4) ? "location"
                                    : "";
    const ToolInput input = enrich_tool_input(std::move(parts));
    const json::Value* path = input.input.find("file_path");
    EXPECT_EQ(path == nullptr ? "" : *path->text(), expected) << set;
  }
}

}  // namespace
}  // namespace parlance::adapter

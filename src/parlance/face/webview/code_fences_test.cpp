// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/webview/code_fences.h"

#include <gtest/gtest.h>

namespace parlance::face {
namespace {

// Pieces of one kind joined: "T:…" text, "<cpp>" a beginning, "C:…" code, "</>" an end.
std::string shown(const CodeFences::Chunks& chunks) {
  std::string out;
  char last = 0;
  const auto add = [&](char kind, const std::string& text) {
    if (last != kind) out += std::string(1, kind) + ":";
    last = kind;
    out += text;
  };
  for (const webview::StreamChunk& chunk : chunks) {
    if (const auto* text = std::get_if<webview::chunk::Text>(&chunk.value)) add('T', text->content);
    if (const auto* code = std::get_if<webview::chunk::CodeContent>(&chunk.value)) add('C', code->content);
    if (const auto* start = std::get_if<webview::chunk::CodeStart>(&chunk.value)) out += "<" + start->language + ">", last = 0;
    if (std::holds_alternative<webview::chunk::CodeEnd>(chunk.value)) out += "</>", last = 0;
  }
  return out;
}

std::string cut(std::string_view text, std::size_t step) {
  CodeFences fences;
  CodeFences::Chunks out;
  for (std::size_t at = 0; at < text.size(); at += step) fences.take(text.substr(at, step), out);
  fences.end(out);
  return shown(out);
}

TEST(CodeFences, BlocksAreTakenOutOfTheText) {
  EXPECT_EQ(cut("See:\n```cpp\nint a;\n```\nDone.", 100), "T:See:\n<cpp>C:int a;\n</>T:Done.");
  EXPECT_EQ(cut("~~~~\n~~~\n~~~~\n", 100), "<>C:~~~\n</>");
  EXPECT_EQ(cut("```\nopen", 100), "<>C:open</>") << "a block that is open at the end is closed";
}

TEST(CodeFences, SimilarLinesAreText) {
  EXPECT_EQ(cut("a ``` b\n``two``\n    ```\n```a`b\n", 100), "T:a ``` b\n``two``\n    ```\n```a`b\n");
  EXPECT_EQ(cut("```\n``\n~~~\n```x\n```\n", 100), "<>C:``\n~~~\n```x\n</>");
}

TEST(CodeFences, AnyCutGivesTheSame) {
  const std::string_view text = "See:\n  ```py x\na = `1`\n\n```\n`x` ``y``\n~~~\nz\n~~~~\nend ```";
  const std::string whole = cut(text, text.size());
  for (std::size_t step = 1; step < text.size(); ++step) EXPECT_EQ(cut(text, step), whole) << step;
}

}  // namespace
}  // namespace parlance::face

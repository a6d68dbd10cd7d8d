// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/rehearse/compiler_lines.h"

#include <optional>

#include <gtest/gtest.h>

namespace parlance::app {
namespace {

using namespace hub::editor;

std::vector<FileDiagnostics> read(std::string_view printed) {
  return compiler_lines(printed, "/w", [](const std::string& path) { return path == "/w/a.cpp" ? "\n  /* 𝄞é */ x;\n" : ""; });
}

TEST(CompilerLines, AreGroupedByFile) {
  const auto files = read(
      "In file included from a.cpp:1:\n"
      "a.cpp:2:5: error: no such thing: 'x' [-Wname]\n"
      "   2 |   x;\n"
      "/usr/b.h:7: warning: old\n"
      "./a.cpp:1:1: note: declared here\n"
      "a.cpp:2:9: fatal error: all is lost\n"
      "ninja: build stopped: 3:4: error\n");
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].path, "/w/a.cpp");
  ASSERT_EQ(files[0].diagnostics.size(), 3U);
  const Diagnostic& first = files[0].diagnostics[0];
  EXPECT_EQ(first.message, "no such thing: 'x'");
  EXPECT_EQ(first.code, "-Wname");
  EXPECT_EQ(first.source, "compiler");
  EXPECT_EQ(first.severity, Severity::error);
  EXPECT_EQ(first.range.start, (Position{1, 4}));
  EXPECT_EQ(files[0].diagnostics[1].severity, Severity::information);
  EXPECT_EQ(files[1].path, "/usr/b.h");
  EXPECT_EQ(files[1].diagnostics[0].severity, Severity::warning);
  EXPECT_EQ(files[1].diagnostics[0].range.start, (Position{6, 0}));
}

TEST(CompilerLines, BytesOfALineBecomeCharacters) {
  const auto files = read("a.cpp:2:16: error: here\na.cpp:2:999: error: behind its end\na.cpp:99:1: error: behind all\n");
  ASSERT_EQ(files.at(0).diagnostics.size(), 3U);
  EXPECT_EQ(files[0].diagnostics[0].range.start, (Position{1, 12})) << "six bytes before it are three characters";
  EXPECT_EQ(files[0].diagnostics[1].range.start, (Position{1, 14}));
  EXPECT_EQ(files[0].diagnostics[2].range.start, (Position{98, 0}));
}

TEST(CompilerLines, OfAllWhatWasAskedForAndNotMoreThanSoMany) {
  std::string printed;
  for (int i = 1; i <= 10; ++i) printed += "a:" + std::to_string(i) + ": error: e\nb:" + std::to_string(i) + ": warning: w\n";
  const auto all = read(printed);
  EXPECT_EQ(chosen(all, {}, {}, 1000).files.size(), 2U);
  EXPECT_FALSE(chosen(all, {}, {}, 20).truncated);
  const Diagnostics some = chosen(all, {}, {}, 15);
  EXPECT_TRUE(some.truncated);
  EXPECT_EQ(some.files.at(1).diagnostics.size(), 5U);
  EXPECT_EQ(chosen(all, "/w/b", {}, 1000).files.at(0).path, "/w/b");
  EXPECT_EQ(chosen(all, {}, Severity::error, 1000).files.size(), 1U);
  EXPECT_TRUE(chosen(all, "/w/b", Severity::error, 1000).files.empty());
}

}  // namespace
}  // namespace parlance::app

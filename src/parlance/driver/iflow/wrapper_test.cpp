// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/iflow/wrapper.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/driver/iflow/limits.h"

namespace parlance::driver {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Written by npm's cmd-shim.
std::string recorded(const std::string& name) {
  std::ifstream file(PARLANCE_SOURCE_DIR "/tests/vectors/iflow-wrappers/" + name, std::ios::binary);
  std::ostringstream out;
  out << file.rdbuf();
  EXPECT_FALSE(out.str().empty()) << name;
  return out.str();
}

TEST(IflowWrapper, TheEntryOfEachRecordedWrapperIsFound) {
  const std::string folder = R"(C:\Users\Ada Lovelace\AppData\Roaming\npm)";
  const std::string entry = folder + R"(\node_modules\@iflow-ai\iflow-cli\bundle\entry.js)";
  for (const char* name : {"iflow.cmd", "iflow.ps1", "iflow"})
    EXPECT_EQ(script_of_wrapper(recorded(name), folder, Platform::windows), entry) << name;
  EXPECT_EQ(script_of_wrapper(recorded("iflow"), "/opt/bin", Platform::posix),
            "/opt/bin/node_modules/@iflow-ai/iflow-cli/bundle/entry.js");
}

TEST(IflowWrapper, OtherWaysToNameTheFolderAreKnown) {
  const auto windows = [](std::string_view text) { return script_of_wrapper(text, R"(C:\n)", Platform::windows); };
  EXPECT_EQ(windows(R"(@"%~dp0\node.exe" "%~dp0\..\lib\iflow\cli.mjs" %*)"), R"(C:\lib\iflow\cli.mjs)");
  EXPECT_EQ(windows(R"(& "$PSScriptRoot/x.cjs" $args)"), R"(C:\n\x.cjs)");
  EXPECT_EQ(windows(R"(node "D:\tools\iflow\cli.js" %*)"), R"(D:\tools\iflow\cli.js)");
  const auto pnpm = R"(exec node  "$basedir/global/5/node_modules/@iflow-ai/iflow-cli/bundle/iflow.js" "$@")";
  EXPECT_EQ(script_of_wrapper(pnpm, "/p", Platform::posix), "/p/global/5/node_modules/@iflow-ai/iflow-cli/bundle/iflow.js");
  EXPECT_EQ(script_of_wrapper("exec node /opt/iflow/cli.js \"$@\"", "/p", Platform::posix), "/opt/iflow/cli.js");
  EXPECT_EQ(script_of_wrapper("node cli.js", "/p", Platform::posix), "/p/cli.js");
}

TEST(IflowWrapper, OtherTextHasNoEntry) {
  EXPECT_FALSE(script_of_wrapper("", "/p", Platform::posix));
  EXPECT_FALSE(script_of_wrapper("echo hello", "/p", Platform::posix));
  EXPECT_FALSE(script_of_wrapper("# node old.js\n:: node old.js\nrem node old.js\nREM node old.js", "/p", Platform::posix));
  EXPECT_FALSE(script_of_wrapper("node \"$SOMEWHERE/cli.js\"", "/p", Platform::posix));
  EXPECT_FALSE(script_of_wrapper(std::string("\177ELF\0 node cli.js", 17), "/p", Platform::posix));
  EXPECT_FALSE(script_of_wrapper("node cli.js\n" + std::string(limits::iflow_wrapper_bytes, 'x'), "/p", Platform::posix));
  EXPECT_FALSE(script_of_wrapper(".js", "/p", Platform::posix));
}

// Any prefix of a wrapper gives an entry or no value, without a crash.
TEST(IflowWrapper, AnyPartOfAWrapperIsSurvived) {
  for (const char* name : {"iflow.cmd", "iflow.ps1", "iflow"}) {
    const std::string text = recorded(name);
    for (std::size_t length = 0; length < text.size(); ++length) {
      const auto entry = script_of_wrapper(std::string_view(text).substr(0, length), R"(C:\n)", Platform::windows);
      if (entry) EXPECT_TRUE(entry->ends_with(".js")) << name << " cut at " << length;
    }
  }
}

TEST(IflowWrapper, AScriptIsKnownByItsNameOrItsFirstLine) {
  EXPECT_TRUE(is_node_script("/a/entry.js", "console.log(1)"));
  EXPECT_TRUE(is_node_script("/a/iflow", "#!/usr/bin/env node\nx"));
  EXPECT_TRUE(is_node_script("/a/iflow", "#!/usr/local/bin/node --no-warnings"));
  EXPECT_FALSE(is_node_script("/a/iflow", "#!/bin/sh\nexec node x.js"));
  EXPECT_FALSE(is_node_script("/a/iflow", "plain"));
  EXPECT_FALSE(is_node_script("/a/entry.js", std::string("\0", 1)));
}

TEST(IflowWrapper, WindowsPlacesAreTriedInTheirOrder) {
  EXPECT_THAT(windows_names(), ElementsAre("iflow", "iflow.ps1", "iflow.cmd"));
  EXPECT_THAT(windows_wrappers(R"(C:\Users\a\AppData\Roaming\)"),
              ElementsAre(R"(C:\Users\a\AppData\Roaming\npm\iflow.ps1)", R"(C:\Users\a\AppData\Roaming\npm\iflow.cmd)",
                          R"(C:\Users\a\AppData\Roaming\npm\iflow)"));
  EXPECT_THAT(windows_wrappers(""), IsEmpty());
}

TEST(IflowWrapper, NodeIsLookedForBesideTheProgram) {
  EXPECT_EQ(node_beside("/opt/node/bin/iflow", Platform::posix), "/opt/node/bin/node");
  EXPECT_EQ(node_beside("/iflow", Platform::posix), "/node");
  EXPECT_EQ(node_beside("iflow", Platform::posix), "./node");
  EXPECT_EQ(node_beside(R"(C:\npm\iflow.cmd)", Platform::windows), R"(C:\npm\node.exe)");
}

TEST(IflowWrapper, PathsAreEvened) {
  EXPECT_EQ(evened("/a/./b/../c//d", Platform::posix), "/a/c/d");
  EXPECT_EQ(evened("/../a", Platform::posix), "/a");
  EXPECT_EQ(evened("../a", Platform::posix), "../a");
  EXPECT_EQ(evened("/", Platform::posix), "/");
  EXPECT_EQ(evened("C:/a/..\\b", Platform::windows), R"(C:\b)");
  EXPECT_EQ(evened(R"(\\server\share\..\x)", Platform::windows), R"(\\server\x)");
  EXPECT_EQ(evened(R"(\:a\..\b)", Platform::windows), R"(\b)") << "a drive is a letter";
  EXPECT_TRUE(is_absolute(R"(C:\a)", Platform::windows));
  EXPECT_FALSE(is_absolute("C:a", Platform::windows));
  EXPECT_FALSE(is_absolute(R"(C:\a)", Platform::posix));
}

TEST(IflowWrapper, WindowsNodeIsBesideTheProgramOrFromWhere) {
  const std::string program = R"(C:\npm\iflow.cmd)";
  const std::string where = "INFO: nothing\r\nC:\\gone\\node.exe\r\nC:\\nodejs\\node.exe\r\n";
  const auto only = [](const std::string& there) { return [there](const std::string& path) { return path == there; }; };
  EXPECT_EQ(windows_node(program, where, only(R"(C:\npm\node.exe)")), R"(C:\npm\node.exe)");
  EXPECT_EQ(windows_node(program, where, only(R"(C:\nodejs\node.exe)")), R"(C:\nodejs\node.exe)");
  EXPECT_EQ(windows_node(program, "", only(R"(C:\nodejs\node.exe)")), std::nullopt);
}

}  // namespace
}  // namespace parlance::driver

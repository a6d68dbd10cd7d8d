// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/script_digest.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "parlance/store/test_folder.h"

namespace parlance::toolbox {
namespace {

namespace fs = std::filesystem;

class ScriptDigest : public testing::Test {
 protected:
  ScriptDigest() {
    fs::create_directories(inside() + "/tools");
    put("a.sh", "echo a");
    put("tools/b.py", "print(1)");
  }
  std::string inside() const { return fs::canonical(folder.path()).string() + "/project"; }
  void put(const std::string& name, std::string_view text) const { std::ofstream(inside() + "/" + name) << text; }
  std::string digest(const std::string& command) const { return script_digest(inside(), command); }
  // Whether the digest of `command` notices another content of `script`.
  bool notices(const std::string& command, const std::string& script) const {
    const std::string before = digest(command);
    put(script, "changed " + command);
    return digest(command) != before;
  }
  store::TestFolder folder;
};

TEST_F(ScriptDigest, ScriptsOfTheFolderArePinned) {
  for (const std::string command : {"./a.sh", "./a.sh --flag x", "tools/../a.sh", "sh a.sh", "bash -eu ./a.sh", "env A=1 ./a.sh",
                                    "exec ./a.sh", "cat x | sh a.sh", "true && ./a.sh; false", ". ./a.sh", "/bin/sh a.sh"})
    EXPECT_TRUE(notices(command, "a.sh")) << command;
  EXPECT_TRUE(notices("python3 tools/b.py a", "tools/b.py"));
  EXPECT_TRUE(notices(inside() + "/a.sh", "a.sh"));
}

TEST_F(ScriptDigest, OneThatAppearsOrGoesIsAChange) {
  const std::string missing = digest("./later.sh");
  put("later.sh", "x");
  EXPECT_NE(digest("./later.sh"), missing);
  const std::string there = digest("./a.sh");
  fs::remove(inside() + "/a.sh");
  EXPECT_NE(digest("./a.sh"), there);
}

TEST_F(ScriptDigest, OtherCommandsHaveNone) {
  for (const char* command : {"ls", "cat a.sh", "git add a.sh", "a.sh", "/bin/true", "../outside.sh", "sh", ""})
    EXPECT_EQ(digest(command), "") << command;
}

}  // namespace
}  // namespace parlance::toolbox

// SPDX-License-Identifier: Apache-2.0
// Completion of commands, flags and their values in bash. zsh and fish read the same candidates.
#include <sstream>

#include <gmock/gmock.h>

#include "tests/support/programs.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAre;

class Completion : public ProgramTest {
 protected:
  // Bash's call: the words so far, and the position of the current word.
  std::vector<std::string> completed(const std::string& words) {
    const std::string script = "export PATH='" PARLANCE_BINARY_DIR
                               "/bin':$PATH; source <(parlance completion bash) || exit 3; COMP_WORDS=(" +
                               words + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _parlance; printf '%s\\n' \"${COMPREPLY[@]}\"";
    const Finished finished = run({"bash", "--norc", "-c", script});
    EXPECT_EQ(finished.code, 0) << finished.errors;
    std::vector<std::string> found;
    std::istringstream lines(finished.out);
    for (std::string line; std::getline(lines, line);) found.push_back(line);
    return found;
  }
};

TEST_F(Completion, CommandsAndFlagsComplete) {
  EXPECT_THAT(completed("parlance up --l"), UnorderedElementsAre("--listen", "--log-level", "--log-json", "--lease"));
  EXPECT_THAT(completed("parlance agent --sock"), ElementsAre("--socket"));
  EXPECT_THAT(completed("parlance g"), UnorderedElementsAre("gateway", "gob"));
  EXPECT_THAT(completed("parlance rpc ''"), IsSupersetOf({"call", "serve"}));
}

TEST_F(Completion, NoWordOfAnExampleOrPlaceholderIsOffered) {
  for (const char* words : {"parlance ''", "parlance embed ''", "parlance chat ''", "parlance model add ''"})
    EXPECT_THAT(completed(words), Each(AnyOf(StartsWith("-"), Not(AnyOf("curl", "echo", "parlance", "agent address", "vendor")))))
        << words;
  EXPECT_THAT(completed("parlance chat ''"), Not(Contains("address")));
}

TEST_F(Completion, ListedValuesComplete) {
  EXPECT_THAT(completed("parlance up --model r"), ElementsAre("rehearsal"));
  EXPECT_THAT(completed("parlance chat --mode ''"), UnorderedElementsAre("default", "autoEdit", "yolo", "plan", "smart"));
  EXPECT_THAT(completed("parlance run --approve ''"), UnorderedElementsAre("ask", "all", "none"));
  EXPECT_THAT(completed("parlance completion ''"), IsSupersetOf({"bash", "zsh", "fish"}));
  EXPECT_THAT(completed("parlance completion ''"), Not(Contains("shell")));
}

TEST_F(Completion, FilesComplete) {
  write_file(path("settings.toml"), "");
  EXPECT_THAT(completed("parlance up --config sett"), ElementsAre("settings.toml"));
}

TEST_F(Completion, OtherShellsHaveAScript) {
  for (const char* shell : {"zsh", "fish"})
    EXPECT_THAT(parlance({"completion", shell}).out,
                AllOf(HasSubstr("parlance"), HasSubstr("awk"), Not(HasSubstr("CANDIDATES"))));
}

}  // namespace
}  // namespace parlance::test

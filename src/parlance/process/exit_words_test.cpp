// SPDX-License-Identifier: Apache-2.0
// The end of a program in words for people, and as JSON for programs.
#include "parlance/process/exit_words.h"

#include <gtest/gtest.h>

namespace parlance {
namespace {

std::string words_of(int code, int signal, BytesView stderr_tail) {
  return end_in_words(code, signal, stderr_tail, "exit code ", "killed by signal ");
}

TEST(ExitWords, NameTheCodeOrTheSignalAndTheLastLine) {
  EXPECT_EQ(words_of(0, 0, ""), "exit code 0");
  EXPECT_EQ(words_of(3, 0, "first\nlast\n\n"), "exit code 3: last");
  EXPECT_EQ(words_of(-1, 9, ""), "killed by signal 9 (SIGKILL)");
  EXPECT_EQ(words_of(-1, 250, "x"), "killed by signal 250 (a signal without a name): x");
  EXPECT_EQ(words_of(-1, 0, ""), "ended, and somebody else took its exit status");
  EXPECT_EQ(end_in_words(1, 0, "", "exited with code ", ""), "exited with code 1");
}

TEST(ExitWords, BytesThatAreNoTextStillMakeText) {
  EXPECT_EQ(words_of(1, 0,
                     "a\xff"
                     "b\n"),
            "exit code 1: a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(end_as_json(1, 0, "\x01\"\\\n\xff"), "{\"exit_code\":1,\"stderr\":\"\\u0001\\\"\\\\\\u000a\xEF\xBF\xBD\"}");
}

TEST(ExitWords, AsJsonHasTheKnownMembers) {
  EXPECT_EQ(end_as_json(3, 0, "oh"), R"({"exit_code":3,"stderr":"oh"})");
  EXPECT_EQ(end_as_json(-1, 11, ""), R"({"signal":11,"signal_name":"SIGSEGV","stderr":""})");
  EXPECT_EQ(end_as_json(-1, 0, ""), R"({"stderr":""})");
}

}  // namespace
}  // namespace parlance

// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/log.h"

#include <gtest/gtest.h>

namespace parlance {
namespace {

// The output to stderr while `body` runs.
template <class F>
std::string logged(LogSettings settings, F body) {
  set_log(std::move(settings));
  testing::internal::CaptureStderr();
  body();
  std::string text = testing::internal::GetCapturedStderr();
  set_log({});
  return text;
}

TEST(Log, ALineHasProcessLevelAndText) {
  EXPECT_EQ(logged({.program = "gateway"}, [] { log(LogLevel::warn, "reply without a call", {{"id", "7"}, {"peer", "x"}}); }),
            "gateway: warn: reply without a call id=7 peer=x\n");
  EXPECT_EQ(logged({}, [] { log(LogLevel::error, "it broke"); }), "parlance: error: it broke\n");
}

TEST(Log, MessagesBelowTheLevelAreDropped) {
  const auto all = [] {
    for (const LogLevel level : {LogLevel::error, LogLevel::warn, LogLevel::info, LogLevel::debug, LogLevel::trace})
      log(level, "x");
  };
  EXPECT_EQ(logged({.level = LogLevel::error}, all), "parlance: error: x\n");
  EXPECT_EQ(logged({.level = LogLevel::info}, all), "parlance: error: x\nparlance: warn: x\nparlance: info: x\n");
  set_log({.level = LogLevel::debug});
  EXPECT_TRUE(log_enabled(LogLevel::debug));
  EXPECT_FALSE(log_enabled(LogLevel::trace));
  set_log({});
}

// Whatever a peer puts into a value, it does not make lines of its own, nor speak to the terminal.
TEST(Log, ALineStaysALine) {
  EXPECT_EQ(logged({}, [] { log(LogLevel::warn, "a\nb", {{"name", "x\r\nparlance: error: forged\x1b[2J"}}); }),
            "parlance: warn: a b name=x  parlance: error: forged [2J\n");
}

// C1 controls move the cursor of some terminals, and U+202E reverses the text after it.
TEST(Log, HiddenCharactersAreMarked) {
  const auto say = [] {
    log(LogLevel::warn,
        "a\xC2\x9B"
        "2Jb",
        {{"name", "x\u202Ey\x9Bz\x7F"}});
  };
  EXPECT_EQ(logged({}, say), "parlance: warn: a⟨U+009B⟩2Jb name=x⟨U+202E⟩y\uFFFDz␡\n");
  const std::string json = logged({.json = true}, say);
  EXPECT_NE(json.find(R"("message":"a\u009B2Jb","name":"x\u202Ey)"), std::string::npos) << json;
}

TEST(Log, AsJsonALineIsAnObject) {
  const std::string line = logged({.json = true, .program = "agent"},
                                  [] { log(LogLevel::warn, "say \"no\"", {{"path", "C:\\x\n"}, {"bytes", "\xFF"}}); });
  EXPECT_TRUE(line.starts_with("{\"time\":\"20")) << line;
  EXPECT_TRUE(
      line.ends_with("\",\"level\":\"warn\",\"program\":\"agent\",\"message\":\"say "
                     "\\\"no\\\"\",\"path\":\"C:\\\\x\\u000a\",\"bytes\":\"\xEF\xBF\xBD\"}\n"))
      << line;
}

TEST(Log, LevelsHaveNames) {
  LogLevel level = LogLevel::error;
  for (const auto& [word, meant] : {std::pair<const char*, LogLevel>{"error", LogLevel::error},
                                    {"warn", LogLevel::warn},
                                    {"info", LogLevel::info},
                                    {"debug", LogLevel::debug},
                                    {"trace", LogLevel::trace}}) {
    EXPECT_TRUE(parse_log_level(word, level));
    EXPECT_EQ(level, meant) << word;
  }
  for (const char* other : {"", "Warn", "warning", "3"}) {
    EXPECT_FALSE(parse_log_level(other, level)) << other;
    EXPECT_EQ(level, LogLevel::trace) << "unchanged";
  }
}

}  // namespace
}  // namespace parlance

// SPDX-License-Identifier: Apache-2.0
// Fictitious memories, in English and Chinese, and questions about them: the same on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace parlance::bench {

inline constexpr std::string_view who[] = {"the user",    "we",         "the team",   "Maria",        "the build",
                                           "the gateway", "our server", "the editor", "用户",         "团队",
                                           "数据库",      "the deploy", "Ben",        "the customer", "project atlas"};
inline constexpr std::string_view does[] = {"prefers", "decided to use", "runs on",  "depends on", "should avoid", "works with",
                                            "喜欢",    "使用",           "决定采用", "moved to",   "waits for",    "needs"};
inline constexpr std::string_view what[] = {"the vim editor",   "PostgreSQL",     "Debian 12",        "port 5432",
                                            "a dark theme",     "tabs",           "深色主题",         "每周二发布",
                                            "short commits",    "two reviewers",  "libsqlite3-dev",   "a staging host",
                                            "a nightly backup", "Kubernetes",     "green tea",        "early meetings",
                                            "new tools",        "the old parser", "monthly invoices", "rotating keys"};
inline constexpr std::string_view when[] = {"because of latency", "since March", "in every repository", "for the release",
                                            "until summer",       "on Fridays",  "in production",       "除非另有说明"};
inline constexpr std::string_view questions[] = {"what editor does the user prefer",
                                                 "port 5432",
                                                 "深色主题",
                                                 "which database do we use in production",
                                                 "nightly backup",
                                                 "用户喜欢什么主题",
                                                 "who drinks green tea",
                                                 "rotating keys on Fridays",
                                                 "Kubernetes",
                                                 "where does the gateway run",
                                                 "no such thing at all",
                                                 "meetings of Maria"};
// Other questions of people, without a matching memory.
inline constexpr std::string_view besides[] = {
    "invoice",   "password", "holiday", "printer",  "coffee",    "budget",   "laptop",  "meeting room", "contract", "train",
    "monitor",   "keyboard", "ticket",  "branch",   "license",   "schema",   "timeout", "certificate",  "retry",    "queue",
    "dashboard", "metrics",  "alert",   "rollback", "migration", "birthday", "address", "phone number", "lunch",    "parking",
    "接口",      "会议",     "密码",    "预算",     "日志",      "测试",     "合同",    "打印机",       "假期",     "咖啡"};

// The same numbers on every machine.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed = 42) : state_(seed) {}
  std::size_t below(std::size_t limit) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state_ >> 33U) % limit;
  }

 private:
  std::uint64_t state_;
};

template <std::size_t N>
std::string_view one_of(Numbers& numbers, const std::string_view (&words)[N]) {
  return words[numbers.below(N)];
}

// A unique name of syllables: real memories have many rare words.
inline std::string name(Numbers& numbers) {
  std::string made;
  for (std::size_t i = 0, syllables = 2 + numbers.below(3); i < syllables; ++i) {
    made += "bcdfghklmnprstvz"[numbers.below(16)];
    made += "aeiou"[numbers.below(5)];
  }
  return made;
}

inline std::string text(Numbers& numbers, std::size_t row) {
  std::string made(one_of(numbers, who));
  for (const std::string_view part : {one_of(numbers, does), one_of(numbers, what), one_of(numbers, when)})
    made += " " + std::string(part);
  return made + " " + name(numbers) + " " + name(numbers) + " " + std::to_string(row);
}

// Questions about these memories: about a common subject, about a name of one memory or none, about another subject. No question
// repeats, so cached answers help only through repeated words, as in real use.
class FreshQuestions {
 public:
  std::string next() {
    for (;;) {
      std::string made = one();
      if (asked_.insert(made).second) return made;
    }
  }

 private:
  std::string one() {
    const auto part = [&](const auto& words) { return std::string(one_of(numbers_, words)); };
    switch (numbers_.below(8)) {
      case 0: return "what do we know about " + known_name();
      case 1: return part(who) + " " + part(does) + " " + name(numbers_);
      case 2: return "does " + part(who) + " need " + part(what) + " for the " + part(besides);
      case 3: return known_name() + " " + part(what);
      case 4: return part(what) + " " + part(when) + " " + known_name();
      case 5: return "which " + part(besides) + " did " + name(numbers_) + " choose " + part(when);
      case 6: return part(who) + "的" + part(besides) + " " + name(numbers_);
      default: return "why " + part(what) + " and not " + part(besides) + " " + part(when) + "?";
    }
  }
  // Of a memory among the first hundreds: the rows are generated in order.
  std::string known_name() {
    if (named_.empty()) {
      Numbers rows;
      for (std::size_t row = 0; row < 2000; ++row) {
        const std::string made = text(rows, row);
        const std::size_t end = made.rfind(' ');
        const std::size_t begin = made.rfind(' ', end - 1) + 1;
        named_.push_back(made.substr(begin, end - begin));
      }
    }
    return named_[numbers_.below(named_.size())];
  }

  Numbers numbers_{4711};
  std::vector<std::string> named_;
  std::unordered_set<std::string> asked_;
};

}  // namespace parlance::bench

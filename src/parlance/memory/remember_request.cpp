// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/remember_request.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "parlance/base/text.h"

namespace parlance::memory {
namespace {

// ---- languages with blanks between words ----------------------------------------------------------------------------------

constexpr std::string_view clause_end = "\n";  // the boundary between two statements

bool is_letter_or_digit(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || byte == '\'' || byte == '-' ||
         byte == '_';
}

// Lower case; an apostrophe stays in its word, and every other punctuation ends the clause.
std::vector<std::string> words_in(std::string_view message) {
  std::string text = to_lower(message);
  for (std::size_t at = 0; (at = text.find("\u2019", at)) != std::string::npos;) text.replace(at, 3, "'");
  std::vector<std::string> words{std::string(clause_end)};
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  for (const char c : text) {
    if (is_letter_or_digit(c)) {
      word += c;
      continue;
    }
    end_word();
    if (c != ' ' && c != '\t' && c != '"' && c != '(' && words.back() != clause_end) words.emplace_back(clause_end);
  }
  end_word();
  return words;
}

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& of) {
  return std::ranges::find(of, word) != of.end();
}

// An imperative verb is at the beginning, or after one of these words.
constexpr std::array<std::string_view, 14> before{clause_end, "please", "and",    "also",  "so",  "then",  "but",
                                                  "now",      "just",   "always", "bitte", "und", "favor", "et"};
// "Can you remember that …", "you should remember …", "I want you to remember …".
constexpr std::array<std::string_view, 8> modal{"can", "could", "will", "would", "should", "must", "to", "may"};
// "Remember when we met?", "can you remember what I said?" are questions.
constexpr std::array<std::string_view, 10> question{"when",  "what", "who", "where", "which",
                                                    "whose", "why",  "how", "if",    "whether"};

struct Phrase {
  std::array<std::string_view, 3> words;  // ends with ""
};
constexpr Phrase phrases[]{
    {{"remember"}},           {{"memorize"}},
    {{"memorise"}},           {{"don't", "forget"}},
    {{"dont", "forget"}},     {{"do", "not", "forget"}},
    {{"never", "forget"}},    {{"keep", "in", "mind"}},
    {{"bear", "in", "mind"}}, {{"make", "a", "note"}},
    {{"take", "a", "note"}},  {{"note", "that"}},
    {{"note", "down"}},       {{"merke", "dir"}},
    {{"merk", "dir"}},        {{"merken", "sie", "sich"}},
    {{"denk", "daran"}},      {{"denke", "daran"}},
    {{"vergiss", "nicht"}},   {{"nicht", "vergessen"}},
    {{"souviens-toi"}},       {{"retiens"}},
    {{"n'oublie", "pas"}},    {{"recuerda"}},
    {{"no", "olvides"}},
};

// Number of the phrase's words at `at`; 0: no match.
std::size_t matches(const std::vector<std::string>& words, std::size_t at, const Phrase& phrase) {
  std::size_t count = 0;
  for (const std::string_view word : phrase.words) {
    if (word.empty()) break;
    if (at + count >= words.size() || words[at + count] != word) return 0;
    ++count;
  }
  return count;
}

bool is_order(const std::vector<std::string>& words, std::size_t at) {
  const std::string_view last = words[at - 1];
  if (is_one_of(last, before)) return true;
  if (last == "to" || is_one_of(last, modal)) {
    if (at < 2) return false;
    const std::string_view who = words[at - 2];
    return who == "you" || who == "sure";  // "I want you to", "you should", "make sure to"
  }
  if (last == "you" && at >= 2) return is_one_of(words[at - 2], modal);  // "could you", not "do you"
  return false;
}

bool in_spaced_words(std::string_view message) {
  const std::vector<std::string> words = words_in(message);
  for (std::size_t at = 1; at < words.size(); ++at) {
    for (const Phrase& phrase : phrases) {
      const std::size_t count = matches(words, at, phrase);
      if (count == 0) continue;
      const std::size_t next = at + count;
      const bool more = next < words.size() && !(words[next] == clause_end && next + 1 == words.size());
      if (phrase.words[0] == "nicht" && !more) return true;  // "…, bitte nicht vergessen"
      // A bare "remember" names no content.
      if (!more || is_one_of(words[next], question) || words[next] == "nicht") continue;
      if (is_order(words, at)) return true;
    }
  }
  return false;
}

// ---- languages without blanks ------------------------------------------------------------------------------------------------

constexpr std::array<std::string_view, 18> parts{"记住", "记一下", "记下",   "请记得",       "请记",           "牢记",
                                                 "别忘", "不要忘", "勿忘",   "記住",         "記一下",         "記下",
                                                 "請記", "別忘",   "不要忘", "覚えておいて", "覚えてください", "忘れないで"};
// Before the verb: a negation ("不要记住"). After the verb: a question or a report ("记住了吗", "记下了").
constexpr std::array<std::string_view, 11> not_before{"不要", "不用", "不必", "别", "沒", "没", "不", "別", "我", "已经", "已經"};
constexpr std::array<std::string_view, 4> for_speaker{"帮我", "替我", "给我",
                                                      "幫我"};  // … but "for me" before the verb: a request again
constexpr std::array<std::string_view, 4> not_behind{"了吗", "了嗎", "了没", "了沒"};

bool in_unspaced_text(std::string_view message) {
  for (const std::string_view part : parts) {
    for (std::size_t at = message.find(part); at != std::string_view::npos; at = message.find(part, at + part.size())) {
      const std::string_view left = message.substr(0, at);
      const std::string_view right = message.substr(at + part.size());
      const bool for_me = std::ranges::any_of(for_speaker, [&](std::string_view word) { return left.ends_with(word); });
      if (!for_me && std::ranges::any_of(not_before, [&](std::string_view word) { return left.ends_with(word); })) continue;
      if (std::ranges::any_of(not_behind, [&](std::string_view word) { return right.starts_with(word); })) continue;
      return true;
    }
  }
  return false;
}

}  // namespace

bool asks_to_remember(std::string_view message) { return in_spaced_words(message) || in_unspaced_text(message); }

}  // namespace parlance::memory

// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/commands/command_words.h"

#include <algorithm>

namespace parlance::hub {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool ends_command(char c) {
  return c == ';' || c == '|' || c == '&' || c == '\n' || c == '(' || c == ')' || c == '`' || c == '{' || c == '}';
}

// Reads words and cuts at every possible begin of another command. `exact`: a shell would read the text the same way.
class CommandReader {
 public:
  explicit CommandReader(std::string_view text) : text_(text) {}

  std::vector<std::vector<std::string>> parts;
  bool exact = true;

  void read() {
    for (at_ = 0; at_ < text_.size();) {
      const char c = text_[at_];
      if (c == '\'' || c == '"') {
        quoted(c);
      } else if (c == '\\') {
        escaped();
      } else if (is_blank(c)) {
        end_word();
        ++at_;
      } else if (ends_command(c) || (c == '$' && at_ + 1 < text_.size() && text_[at_ + 1] == '(')) {
        exact = false;
        end_command();
        at_ += c == '$' ? 2 : 1;
      } else {
        plain(c);
      }
    }
    end_command();
  }

 private:
  void plain(char c) {
    static constexpr std::string_view special = "$<>*?[]~#!\r";
    // A tilde or a hash in mid-word is plain (HEAD~1), an exclamation mark too.
    const bool mid_word = in_word_ && (c == '~' || c == '#' || c == '!');
    if (static_cast<unsigned char>(c) < 0x20 || (special.find(c) != std::string_view::npos && !mid_word)) exact = false;
    if (c == '<' || c == '>') {
      end_word();
    } else {
      word_ += c;
      in_word_ = true;
    }
    ++at_;
  }
  void escaped() {
    if (at_ + 1 >= text_.size() || text_[at_ + 1] == '\n') exact = false;
    if (at_ + 1 < text_.size()) word_ += text_[at_ + 1];
    in_word_ = true;
    at_ += 2;
  }
  void quoted(char quote) {
    in_word_ = true;
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      const char c = text_[at_];
      if (c == '\n') exact = false;
      if (quote == '"' && (c == '$' || c == '`' || c == '!')) {
        exact = false;
        if (c == '`' || text_.substr(at_).starts_with("$(")) {  // a substitution runs a command of its own
          end_command();
          at_ += c == '$' ? 2 : 1;
          return;  // continue as if unquoted: the end of the substitution is irrelevant, no allow rule fits
        }
      }
      if (quote == '"' && c == '\\' && at_ + 1 < text_.size()) {
        const char next = text_[at_ + 1];
        if (next == '\n') exact = false;
        if (next == '"' || next == '\\' || next == '$' || next == '`') ++at_;
      }
      word_ += text_[at_];
      in_word_ = true;
    }
    if (at_ >= text_.size()) exact = false;  // unbalanced
    else ++at_;
  }
  void end_word() {
    if (!in_word_) return;
    words_.push_back(std::move(word_));
    word_.clear();
    in_word_ = false;
  }
  void end_command() {
    end_word();
    if (!words_.empty()) parts.push_back(std::move(words_));
    words_.clear();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string word_;
  bool in_word_ = false;
  std::vector<std::string> words_;
};

bool is_assignment(std::string_view word) {
  const auto equals = word.find('=');
  return equals != std::string_view::npos && equals != 0;
}

// Shell keywords before a command, and programs that only start another program: a rule that denies `rm` denies `sudo rm` too.
bool stands_before(std::string_view word) {
  static constexpr std::string_view names[] = {
      "if",     "then", "else",    "elif", "do",     "while",  "until", "!",       "time", "sudo",  "doas",    "env",    "nohup",
      "setsid", "exec", "command", "nice", "ionice", "stdbuf", "eval",  "timeout", "chrt", "xargs", "taskset", "busybox"};
  return is_assignment(word) || std::ranges::find(names, word) != std::end(names);
}
// Programs whose first operand (a duration or a CPU) precedes the command.
bool takes_a_word(std::string_view word) { return word == "timeout" || word == "chrt" || word == "taskset"; }

// Far above real commands; each beginning copies the words behind it.
constexpr std::size_t most_beginnings = 64;

// Finds the command behind such prefixes. The parser does not know which options have values (`sudo -u root rm`, `sudo -n rm`).
// The word after an option may be the command or a value, so `Beginnings` returns both readings.
class Beginnings {
 public:
  explicit Beginnings(const std::vector<std::string>& words) : words_(words), seen_(words.size() * states) {
    if (stands_before(words.front())) behind(0);
  }
  std::vector<std::size_t> all{};

 private:
  static constexpr std::size_t states = 3;  // number of operands that may still precede the command

  void behind(std::size_t starter) {
    const std::size_t own = takes_a_word(words_[starter]) ? 1 : 0;
    look(starter + 1, own, own);
  }
  void look(std::size_t at, std::size_t own, std::size_t others) {
    for (; at + 1 < words_.size() && words_[at].starts_with('-'); ++at) others = own + 1;
    if (at >= words_.size() || all.size() == most_beginnings || seen_[at * states + others]) return;
    seen_[at * states + others] = true;
    if (std::ranges::find(all, at) == all.end()) {
      all.push_back(at);
      if (stands_before(words_[at])) behind(at);
    }
    if (others > 0) look(at + 1, own, others - 1);
  }
  const std::vector<std::string>& words_;
  std::vector<bool> seen_;
};

}  // namespace

std::optional<std::vector<std::string>> simple_command(std::string_view command) {
  CommandReader reader(command);
  reader.read();
  if (!reader.exact || reader.parts.size() != 1) return std::nullopt;
  if (reader.parts.front().front().empty() || is_assignment(reader.parts.front().front())) return std::nullopt;
  return std::move(reader.parts.front());
}

std::vector<std::vector<std::string>> command_parts(std::string_view command) {
  CommandReader reader(command);
  reader.read();
  std::vector<std::vector<std::string>> parts;
  for (auto& words : reader.parts) {
    for (const std::size_t begin : Beginnings(words).all)
      if (!stands_before(words[begin]) || begin + 1 == words.size())
        parts.emplace_back(words.begin() + static_cast<std::ptrdiff_t>(begin), words.end());
    parts.push_back(std::move(words));
  }
  return parts;
}

}  // namespace parlance::hub

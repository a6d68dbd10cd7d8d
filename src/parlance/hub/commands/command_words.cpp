// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/commands/command_words.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <span>
#include <utility>

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
  bool legible = true;  // false: a word may have other letters

  void read() {
    for (at_ = 0; at_ < text_.size();) {
      const char c = text_[at_];
      if (c == '\'' || c == '"') {
        quoted(c);
      } else if (c == '$' && text_.substr(at_ + 1).starts_with('\'')) {
        ansi_quoted();
      } else if (c == '$' && text_.substr(at_ + 1).starts_with('"')) {
        exact = false;
        ++at_;
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
    if (c == '<' || c == '>') return redirected();
    word_ += c;
    in_word_ = true;
    ++at_;
  }
  // The next word is a file, and a number before the sign a descriptor.
  void redirected() {
    is_target_ = is_target_ || (in_word_ && word_.find_first_not_of("0123456789") == std::string::npos);
    end_word();
    is_target_ = true;
    at_ = std::min(text_.find_first_not_of("<>&|", at_), text_.size());
  }
  // The shell removes a backslash with the line break behind it.
  void escaped() {
    const bool is_joined = text_.substr(at_ + 1).starts_with('\n');
    if (at_ + 1 >= text_.size() || is_joined) exact = false;
    if (!is_joined) {
      if (at_ + 1 < text_.size()) word_ += text_[at_ + 1];
      in_word_ = true;
    }
    at_ += 2;
  }
  // $'…' of bash: the letters of words may be numbers.
  void ansi_quoted() {
    exact = false;
    in_word_ = true;
    for (at_ += 2; at_ < text_.size() && text_[at_] != '\''; ++at_) {
      if (text_[at_] != '\\' || at_ + 1 >= text_.size()) {
        word_ += text_[at_];
        continue;
      }
      ++at_;
      const std::size_t most = text_[at_] == 'x' ? 2 : text_[at_] == 'u' ? 4 : text_[at_] == 'U' ? 8 : 0;
      const std::string_view digits = most != 0 ? text_.substr(at_ + 1, most) : text_.substr(at_, 3);
      unsigned letter = 0;
      const auto [end, bad] = std::from_chars(digits.data(), digits.data() + digits.size(), letter, most != 0 ? 16 : 8);
      legible = legible && (bad == std::errc() ? letter < 0x80 : most == 0);
      word_ += bad == std::errc() ? static_cast<char>(letter) : text_[at_];
      if (bad == std::errc()) at_ = static_cast<std::size_t>(end - text_.data()) - 1;
    }
    ++at_;
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
        if (next == '\n') {
          exact = false;
          ++at_;
          continue;
        }
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
    if (!std::exchange(is_target_, false)) without_targets_.push_back(word_);
    words_.push_back(std::move(word_));
    word_.clear();
    in_word_ = false;
  }
  // A rule may name the file of a redirection: `cat <secret` has the words of `cat secret` too.
  void end_command() {
    end_word();
    is_target_ = false;
    if (!without_targets_.empty() && without_targets_.size() != words_.size()) parts.push_back(std::move(without_targets_));
    if (!words_.empty()) parts.push_back(std::move(words_));
    words_.clear();
    without_targets_.clear();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string word_;
  bool in_word_ = false;
  std::vector<std::string> words_;
  std::vector<std::string> without_targets_;  // of redirections
  bool is_target_ = false;                    // the word being read
};

std::string_view name_of(std::string_view program) { return program.substr(program.rfind('/') + 1); }

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&names)[N]) {
  return std::ranges::find(names, word) != std::end(names);
}

bool is_assignment(std::string_view word) {
  const auto equals = word.find('=');
  return equals != std::string_view::npos && equals != 0;
}

// Shell keywords before a command, and programs that only start another program: a rule that denies `rm` denies `sudo rm` too.
bool stands_before(std::string_view word) {
  static constexpr std::string_view names[] = {"if",   "then",    "else",    "elif",   "do",      "while",  "until",
                                               "!",    "time",    "sudo",    "doas",   "env",     "nohup",  "setsid",
                                               "exec", "command", "builtin", "coproc", "nice",    "ionice", "stdbuf",
                                               "eval", "timeout", "chrt",    "xargs",  "taskset", "busybox"};
  return is_assignment(word) || is_one_of(name_of(word), names);
}
// Programs whose first operand (a duration or a CPU) precedes the command.
bool takes_a_word(std::string_view word) {
  static constexpr std::string_view names[] = {"timeout", "chrt", "taskset"};
  return is_one_of(name_of(word), names);
}

// Far above real commands; each beginning copies the words behind it.
constexpr std::size_t most_beginnings = 64;

// Finds the command behind such prefixes. The parser does not know which options have values (`sudo -u root rm`, `sudo -n rm`).
// The word after an option may be the command or a value, so `Beginnings` returns both readings.
class Beginnings {
 public:
  explicit Beginnings(std::span<const std::string> words) : words_(words), seen_(words.size() * states) {
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
  std::span<const std::string> words_;
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

namespace {

constexpr int deepest = 4;                    // commands inside of commands
constexpr std::size_t most_work = 1'000'000;  // words, and pieces of 16 bytes of text: far above real commands

// The parts of a command and of all commands in its words.
class PartFinder {
 public:
  CommandParts found{};

  void find(const std::string& command, int depth) {
    const auto [known, is_new] = seen_.try_emplace(command, depth);
    if (!is_new && known->second <= depth) return;
    known->second = depth;
    if (depth > deepest || !spend(command.size() / 16)) {
      found.complete = false;
      return;
    }
    CommandReader reader(command);
    reader.read();
    found.complete = found.complete && reader.legible;
    for (const auto& words : reader.parts) add(words, depth);
  }

 private:
  using Words = std::span<const std::string>;

  bool spend(std::size_t work) {
    found.complete = found.complete && work <= left_;
    left_ -= std::min(work, left_);
    return left_ != 0;
  }
  void add(Words words, int depth) {
    for (const std::size_t begin : Beginnings(words).all) {
      const Words behind = words.subspan(begin);
      if (!stands_before(behind.front()) || behind.size() == 1) add_one(behind);
      look_inside(behind, depth);
    }
    add_one(words);
    look_inside(words, depth);
  }
  void add_one(Words words) {
    if (!spend(words.size())) return;
    found.all.emplace_back(words.begin(), words.end());
    const std::string name(name_of(words.front()));
    if (name.empty() || name == words.front()) return;
    found.all.push_back(found.all.back());
    found.all.back().front() = name;
  }
  // `sh -c TEXT`, `eval TEXT`, `env -S TEXT`, `trap TEXT`, `find -exec COMMAND`.
  void look_inside(Words words, int depth) {
    static constexpr std::string_view shells[] = {"sh", "bash", "zsh", "dash", "ash", "ksh", "fish", "su", "script", "flock"};
    static constexpr std::string_view of_text[] = {"eval", "trap", "watch"};
    static constexpr std::string_view of_find[] = {"-exec", "-execdir", "-ok", "-okdir"};
    const std::string_view program = name_of(words.front());
    const bool is_shell = is_one_of(program, shells);
    const bool is_env = program == "env";
    if (is_one_of(program, of_text)) find(joined(words.subspan(1)), depth + 1);
    if (!is_shell && !is_env && program != "find") return;
    for (std::size_t i = 1; i < words.size() && spend(1); ++i) {
      const std::string& word = words[i];
      const Words behind = words.subspan(i + 1);
      if (program == "find" && is_one_of(word, of_find) && !behind.empty()) add_found(behind, depth);
      if (is_env && (has_letter(word, 'S') || word.starts_with("--split-string")))
        find(value_in(word, 'S') + " " + joined(behind), depth + 1);
      if (!is_shell || !has_letter(word, 'c')) continue;
      find(value_in(word, 'c'), depth + 1);
      for (const std::string& text : behind) find(text, depth + 1);
    }
  }
  void add_found(Words words, int depth) {
    if (depth < deepest) add(words, depth + 1);
    else found.complete = false;
  }
  static bool has_letter(std::string_view option, char letter) { return option.starts_with('-') && option.contains(letter); }
  // `-cTEXT`, `--command=TEXT`.
  static std::string value_in(const std::string& option, char letter) {
    const std::size_t before = option.starts_with("--") ? option.find('=') : option.find(letter);
    return before == std::string::npos ? "" : option.substr(before + 1);
  }
  std::string joined(Words words) {
    std::string text;
    for (const std::string& word : words) {
      if (!spend(1 + word.size() / 16)) break;
      text += (text.empty() ? "" : " ") + word;
    }
    return text;
  }

  std::map<std::string, int> seen_;  // texts, with their smallest depth
  std::size_t left_ = most_work;
};

}  // namespace

CommandParts command_parts(std::string_view command) {
  PartFinder finder;
  finder.find(std::string(command), 1);
  return std::move(finder.found);
}

}  // namespace parlance::hub

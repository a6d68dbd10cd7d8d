// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/regex/parser.h"

#include <algorithm>
#include <optional>
#include <string>

#include "parlance/base/regex/unicode_property.h"
#include "parlance/base/utf8.h"

namespace parlance::regex {
namespace {

using Kind = Piece::Kind;

std::optional<char32_t> digit_of(char32_t c) {
  if (c >= U'0' && c <= U'9') return c - U'0';
  if (c >= U'a' && c <= U'f') return c - U'a' + 10;
  if (c >= U'A' && c <= U'F') return c - U'A' + 10;
  return {};
}

class Parser {
 public:
  Parser(CodePoints text, Options options) : text_(std::move(text)), options_(options) {}

  Result<Piece> whole() {
    PARLANCE_TRY(piece, choice());
    if (!done()) return unusable("there is a ) without its (");
    return piece;
  }

 private:
  std::unexpected<Error> unusable(std::string_view what) const {
    return fail(Errc::invalid_params, std::string(what) + " (character " + std::to_string(at_ + 1) + ")");
  }
  bool done() const { return at_ == text_.size(); }
  char32_t peek() const { return done() ? U'\0' : text_[at_]; }
  bool take(std::u32string_view what) {
    if (!std::u32string_view(text_).substr(at_).starts_with(what)) return false;
    at_ += what.size();
    return true;
  }

  Result<Piece> choice() {
    if (++depth_ > group_depth) return unusable("its groups nest too deeply");
    Piece all{.kind = Kind::choice};
    do {
      Piece row{.kind = Kind::sequence};
      while (!done() && peek() != U'|' && peek() != U')') {
        PARLANCE_TRY(piece, repeated());
        row.parts.push_back(std::move(piece));
      }
      all.parts.push_back(std::move(row));
    } while (take(U"|"));
    --depth_;
    return all;
  }

  Result<Piece> repeated() {
    PARLANCE_TRY(piece, single());
    Piece repeat{.kind = Kind::repeat, .least = 0, .most = Piece::endless};
    if (take(U"*")) {
    } else if (take(U"+")) {
      repeat.least = 1;
    } else if (take(U"?")) {
      repeat.most = 1;
    } else if (!counted(repeat)) {
      return piece;
    }
    take(U"?");  // greedy or lazy makes no difference for a match
    if (repeat.most < repeat.least) return unusable("the maximum of a repetition is below its minimum");
    repeat.parts.push_back(std::move(piece));
    if (!done() && std::u32string_view(U"*+?").contains(peek())) return unusable("a repetition is repeated");
    return repeat;
  }
  // {2}, {2,} or {2,5}; anything else in braces is text.
  bool counted(Piece& repeat) {
    const std::size_t begin = at_;
    const auto number = [&](std::uint32_t& to) {
      const std::size_t first = at_;
      for (to = 0; peek() >= U'0' && peek() <= U'9'; ++at_)
        to = std::min<std::uint32_t>(to * 10 + static_cast<std::uint32_t>(peek() - U'0'), 1'000'000);
      return at_ != first;
    };
    if (take(U"{") && (number(repeat.least) || (grep() && peek() == U','))) {
      repeat.most = repeat.least;
      if (take(U",") && !number(repeat.most)) repeat.most = Piece::endless;
      if (take(U"}")) return true;
    }
    at_ = begin;
    return false;
  }

  Result<Piece> single() {
    if (take(U"^")) return Piece{.kind = Kind::begin};
    if (take(U"$")) return Piece{.kind = Kind::end};
    if (take(U".")) return Piece{.kind = Kind::one_of, .ranges = complement(line_ends())};
    if (take(U"(")) return group();
    if (take(U"[")) return bracket();
    if (take(U"\\")) return escaped();
    if (std::u32string_view(U"*+?").contains(peek())) return unusable("a repetition has no operand");
    return one_of({{peek(), text_[at_++]}});
  }
  Piece one_of(const Ranges& ranges) const {
    return {.kind = Kind::one_of, .ranges = options_.ignore_case ? with_other_case(ranges) : ranges};
  }

  Result<Piece> group() {
    Piece around{.kind = Kind::sequence};
    const bool ignore_case = options_.ignore_case;
    if (take(U"?=")) around.kind = Kind::look_ahead;
    else if (take(U"?!")) around = {.kind = Kind::look_ahead, .negated = true};
    else if (take(U"?<=") || take(U"?<!")) return unusable("look-behind is not supported");
    else if (take(U"?<") || (grep() && take(U"?P<"))) {
      while (!done() && peek() != U'>') ++at_;
      if (!take(U">")) return unusable("the name of a group does not end");
    } else if (!take(U"?:") && take(U"?")) {
      if (!flags()) return unusable("this kind of group is not supported: (?");
      if (grep() && take(U")")) return around;  // from here to the end of the group
      if (!take(U":")) return unusable("this kind of group is not supported: (?");
    }
    PARLANCE_TRY(inside, choice());
    if (!take(U")")) return unusable("a ( is never closed");
    options_.ignore_case = ignore_case;
    around.parts.push_back(std::move(inside));
    return around;
  }
  // i, m and s, then the disabled flags after a `-`. Inputs are a single line or a single value, so m and s have no effect and
  // are accepted.
  bool flags() {
    const std::size_t begin = at_;
    for (bool on = true; !done(); ++at_) {
      if (peek() == U'i') options_.ignore_case = on;
      else if (peek() == U'-' && on) on = false;
      else if (!grep() || (peek() != U'm' && peek() != U's')) break;
    }
    return at_ != begin;
  }

  Result<Piece> escaped() {
    if (take(U"b")) return Piece{.kind = Kind::word_boundary};
    if (take(U"B")) return Piece{.kind = Kind::word_boundary, .negated = true};
    if (grep() && take(U"<")) return Piece{.kind = Kind::word_begin};
    if (grep() && take(U">")) return Piece{.kind = Kind::word_end};
    if (grep() && take(U"A")) return Piece{.kind = Kind::begin};
    if (grep() && (take(U"z") || take(U"Z"))) return Piece{.kind = Kind::end};
    if (peek() == U'k' || (peek() >= U'1' && peek() <= U'9')) return unusable("back references are not supported");
    if (auto ranges = class_of(peek())) {
      ++at_;
      return one_of(*ranges);
    }
    if (peek() == U'p' || peek() == U'P') {
      PARLANCE_TRY(ranges, property());
      return one_of(ranges);
    }
    PARLANCE_TRY(c, escaped_character());
    return one_of({{c, c}});
  }
  // Behind the backslash: p{NAME}, or P{NAME} for all other characters.
  Result<Ranges> property() {
    const bool negated = text_[at_++] == U'P';
    const std::size_t end = text_.find(U'}', at_);
    if (!take(U"{") || end == CodePoints::npos) return unusable("\\p needs a name in braces");
    std::string name;
    for (; at_ != end; ++at_) name += text_[at_] < 0x80 ? static_cast<char>(text_[at_]) : '?';
    ++at_;
    auto ranges = unicode_property(name);
    if (!ranges) return unusable("there is no table of the characters of \\p{" + name + "}; name them");
    return negated ? complement(*std::move(ranges)) : *std::move(ranges);
  }
  Result<char32_t> escaped_character() {
    if (done()) return unusable("the expression ends with a \\");
    const char32_t c = text_[at_++];
    switch (c) {
      case U'n': return U'\n';
      case U't': return U'\t';
      case U'r': return U'\r';
      case U'f': return U'\f';
      case U'v': return U'\v';
      case U'0': return U'\0';
      case U'x': return hexadecimal(2);
      case U'u': return unicode();
      case U'c':
        if (done()) return unusable("\\c needs a letter");
        return text_[at_++] % 32;
      default: break;
    }
    if ((c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z'))
      return unusable("there is no \\" + std::string(1, static_cast<char>(c)));
    return c;
  }
  Result<char32_t> hexadecimal(int count) {
    char32_t value = 0;
    for (int i = 0; i < count; ++i) {
      const auto digit = digit_of(peek());
      if (!digit) return unusable("too few hexadecimal digits");
      value = value * 16 + *digit;
      ++at_;
    }
    return value;
  }
  Result<char32_t> unicode() {
    if (take(U"{")) {
      char32_t value = 0;
      for (; const auto digit = digit_of(peek()); ++at_) value = std::min<char32_t>(value * 16 + *digit, last_code_point + 1);
      if (!take(U"}") || value > last_code_point) return unusable("\\u{…} holds no character");
      return value;
    }
    PARLANCE_TRY(high, hexadecimal(4));
    if (high < 0xD800 || high > 0xDBFF || !take(U"\\u")) return high;
    PARLANCE_TRY(low, hexadecimal(4));
    if (low < 0xDC00 || low > 0xDFFF) return unusable("half of a surrogate pair");
    return 0x10000 + ((high - 0xD800) << 10U) + (low - 0xDC00);
  }

  Result<Piece> bracket() {
    Piece set{.kind = Kind::one_of, .negated = take(U"^")};
    for (bool first = true; (first && grep() && peek() == U']') || !take(U"]"); first = false) {
      PARLANCE_TRY(from, member());
      if (is_single(from) && peek() == U'-' && at_ + 1 < text_.size() && text_[at_ + 1] != U']') {
        ++at_;
        PARLANCE_TRY(to, member());
        if (!is_single(to) || to[0].first < from[0].first)
          return unusable("the end of a range of characters is below its beginning");
        from[0].second = to[0].first;
      }
      set.ranges.insert(set.ranges.end(), from.begin(), from.end());
    }
    if (options_.ignore_case) set.ranges = with_other_case(set.ranges);
    return set;
  }
  static bool is_single(const Ranges& ranges) { return ranges.size() == 1 && ranges[0].first == ranges[0].second; }
  Result<Ranges> member() {
    if (done()) return unusable("a [ is never closed");
    if (grep() && take(U"[:")) return named_class();
    if (!take(U"\\")) {
      const char32_t c = text_[at_++];
      return Ranges{{c, c}};
    }
    if (take(U"b")) return Ranges{{U'\b', U'\b'}};
    if (take(U"-")) return Ranges{{U'-', U'-'}};
    if (auto ranges = class_of(peek())) {
      ++at_;
      return *std::move(ranges);
    }
    if (peek() == U'p' || peek() == U'P') return property();
    PARLANCE_TRY(c, escaped_character());
    return Ranges{{c, c}};
  }
  Result<Ranges> named_class() {
    const std::size_t end = text_.find(U":]", at_);
    if (end == CodePoints::npos) return unusable("[: without its :]");
    const auto ranges = posix_class(std::u32string_view(text_).substr(at_, end - at_));
    if (!ranges) return unusable("unknown class of characters");
    at_ = end + 2;
    return *ranges;
  }

  bool grep() const { return options_.syntax == Syntax::grep; }

  CodePoints text_;
  Options options_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<Piece> parse(std::string_view expression, Options options) {
  if (!is_valid_utf8(expression)) return fail(Errc::invalid_params, "it is no UTF-8");
  if (expression.size() > expression_bytes) return fail(Errc::invalid_params, "the expression is too long");
  return Parser(code_points_of(expression), options).whole();
}

}  // namespace parlance::regex

#include "codec/schema/pattern_parser.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/limits.h"
#include "base/utf8.h"

namespace parlance::schema {
namespace {

using Kind = PatternPiece::Kind;

constexpr char32_t last_code_point = 0x10FFFF;

CodePointRanges complement(CodePointRanges ranges) {
  std::ranges::sort(ranges);
  CodePointRanges rest;
  char32_t next = 0;
  for (const auto& [from, to] : ranges) {
    if (from > next) rest.emplace_back(next, from - 1);
    next = std::max<char32_t>(next, to + 1);
  }
  if (next <= last_code_point) rest.emplace_back(next, last_code_point);
  return rest;
}

const CodePointRanges digits{{U'0', U'9'}};
const CodePointRanges word{{U'0', U'9'}, {U'A', U'Z'}, {U'_', U'_'}, {U'a', U'z'}};
// White space and line ends of ECMA-262.
const CodePointRanges space{{0x9, 0xD},       {0x20, 0x20},     {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
                            {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
const CodePointRanges line_end{{0xA, 0xA}, {0xD, 0xD}, {0x2028, 0x2029}};

std::optional<CodePointRanges> class_of(char32_t letter) {
  switch (letter) {
    case U'd': return digits;
    case U'D': return complement(digits);
    case U'w': return word;
    case U'W': return complement(word);
    case U's': return space;
    case U'S': return complement(space);
    default: return {};
  }
}

std::optional<char32_t> digit_of(char32_t c) {
  if (c >= U'0' && c <= U'9') return c - U'0';
  if (c >= U'a' && c <= U'f') return c - U'a' + 10;
  if (c >= U'A' && c <= U'F') return c - U'A' + 10;
  return {};
}

class Parser {
 public:
  explicit Parser(CodePoints text) : text_(std::move(text)) {}

  Result<PatternPiece> whole() {
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

  Result<PatternPiece> choice() {
    if (++depth_ > limits::schema_pattern_depth) return unusable("its groups nest too deeply");
    PatternPiece all{.kind = Kind::choice};
    do {
      PatternPiece row{.kind = Kind::sequence};
      while (!done() && peek() != U'|' && peek() != U')') {
        PARLANCE_TRY(piece, repeated());
        row.parts.push_back(std::move(piece));
      }
      all.parts.push_back(std::move(row));
    } while (take(U"|"));
    --depth_;
    return all;
  }

  Result<PatternPiece> repeated() {
    PARLANCE_TRY(piece, single());
    PatternPiece repeat{.kind = Kind::repeat, .least = 0, .most = PatternPiece::endless};
    if (take(U"*")) {
    } else if (take(U"+")) {
      repeat.least = 1;
    } else if (take(U"?")) {
      repeat.most = 1;
    } else if (!counted(repeat)) {
      return piece;
    }
    take(U"?");  // whether it takes much or little does not change whether it fits
    if (repeat.most < repeat.least) return unusable("a repetition ends before it begins");
    repeat.parts.push_back(std::move(piece));
    if (!done() && std::u32string_view(U"*+?").contains(peek())) return unusable("a repetition is repeated");
    return repeat;
  }
  // {2}, {2,} or {2,5}; anything else in braces is text.
  bool counted(PatternPiece& repeat) {
    const std::size_t begin = at_;
    const auto number = [&](std::uint32_t& to) {
      const std::size_t first = at_;
      for (to = 0; peek() >= U'0' && peek() <= U'9'; ++at_)
        to = std::min<std::uint32_t>(to * 10 + static_cast<std::uint32_t>(peek() - U'0'), 1'000'000);
      return at_ != first;
    };
    if (take(U"{") && number(repeat.least)) {
      repeat.most = repeat.least;
      if (take(U",") && !number(repeat.most)) repeat.most = PatternPiece::endless;
      if (take(U"}")) return true;
    }
    at_ = begin;
    return false;
  }

  Result<PatternPiece> single() {
    if (take(U"^")) return PatternPiece{.kind = Kind::begin};
    if (take(U"$")) return PatternPiece{.kind = Kind::end};
    if (take(U".")) return one_of(complement(line_end));
    if (take(U"(")) return group();
    if (take(U"[")) return bracket();
    if (take(U"\\")) return escaped();
    if (std::u32string_view(U"*+?").contains(peek())) return unusable("there is nothing to repeat");
    return one_of({{peek(), text_[at_++]}});
  }
  static PatternPiece one_of(CodePointRanges ranges) { return {.kind = Kind::one_of, .ranges = std::move(ranges)}; }

  Result<PatternPiece> group() {
    PatternPiece around{.kind = Kind::sequence};
    if (take(U"?=")) around.kind = Kind::look_ahead;
    else if (take(U"?!")) around = {.kind = Kind::look_ahead, .negated = true};
    else if (take(U"?<=") || take(U"?<!")) return unusable("look-behind is not supported");
    else if (take(U"?<")) {
      while (!done() && peek() != U'>') ++at_;
      if (!take(U">")) return unusable("the name of a group does not end");
    } else if (!take(U"?:") && take(U"?")) {
      return unusable("this kind of group is not supported: (?");
    }
    PARLANCE_TRY(inside, choice());
    if (!take(U")")) return unusable("a ( is never closed");
    around.parts.push_back(std::move(inside));
    return around;
  }

  Result<PatternPiece> escaped() {
    if (take(U"b")) return PatternPiece{.kind = Kind::word_boundary};
    if (take(U"B")) return PatternPiece{.kind = Kind::word_boundary, .negated = true};
    if (peek() == U'k' || (peek() >= U'1' && peek() <= U'9')) return unusable("back references are not supported");
    if (auto ranges = class_of(peek())) {
      ++at_;
      return one_of(*std::move(ranges));
    }
    PARLANCE_TRY(c, escaped_character());
    return one_of({{c, c}});
  }
  Result<char32_t> escaped_character() {
    if (done()) return unusable("it ends in a \\");
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
      case U'p':
      case U'P': return unusable("\\p{…} is not supported; name the characters");
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

  Result<PatternPiece> bracket() {
    PatternPiece set{.kind = Kind::one_of, .negated = take(U"^")};
    while (!take(U"]")) {
      if (done()) return unusable("a [ is never closed");
      PARLANCE_TRY(from, member());
      const bool range = from.size() == 1 && from[0].first == from[0].second && peek() == U'-' && at_ + 1 < text_.size() &&
                         text_[at_ + 1] != U']';
      if (range) {
        ++at_;
        PARLANCE_TRY(to, member());
        if (to.size() != 1 || to[0].first != to[0].second || to[0].first < from[0].first)
          return unusable("a range of characters ends before it begins");
        from[0].second = to[0].first;
      }
      set.ranges.insert(set.ranges.end(), from.begin(), from.end());
    }
    return set;
  }
  Result<CodePointRanges> member() {
    if (done()) return unusable("a [ is never closed");
    if (!take(U"\\")) {
      const char32_t c = text_[at_++];
      return CodePointRanges{{c, c}};
    }
    if (take(U"b")) return CodePointRanges{{U'\b', U'\b'}};
    if (take(U"-")) return CodePointRanges{{U'-', U'-'}};
    if (auto ranges = class_of(peek())) {
      ++at_;
      return *std::move(ranges);
    }
    PARLANCE_TRY(c, escaped_character());
    return CodePointRanges{{c, c}};
  }

  CodePoints text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

CodePoints code_points_of(std::string_view utf8) {
  CodePoints all;
  all.reserve(utf8.size());
  for (std::size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[i++]);
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    char32_t c = more == 3 ? lead & 0x07U : more == 2 ? lead & 0x0FU : more == 1 ? lead & 0x1FU : lead;
    for (int k = 0; k < more && i < utf8.size(); ++k) c = (c << 6U) | (static_cast<unsigned char>(utf8[i++]) & 0x3FU);
    all += c;
  }
  return all;
}

bool contains(const CodePointRanges& ranges, char32_t c) {
  return std::ranges::any_of(ranges, [c](const auto& range) { return c >= range.first && c <= range.second; });
}

const CodePointRanges& word_characters() { return word; }

Result<PatternPiece> parse_pattern(std::string_view expression) {
  if (!is_valid_utf8(expression)) return fail(Errc::invalid_params, "it is no UTF-8");
  if (expression.size() > limits::schema_pattern_bytes) return fail(Errc::invalid_params, "it is too long");
  return Parser(code_points_of(expression)).whole();
}

}  // namespace parlance::schema

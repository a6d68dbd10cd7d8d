// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/terminal/entities.h"

#include <charconv>

#include "parlance/base/utf8.h"
#include "parlance/base/visible_text.h"

namespace parlance::face {
namespace {

struct Named {
  std::string_view name;
  std::string_view text;
};
// HTML has 2,000 names; these occur in models' answers.
constexpr Named named[] = {{"amp", "&"},    {"lt", "<"},     {"gt", ">"},     {"quot", "\""}, {"apos", "'"},   {"nbsp", " "},
                           {"copy", "©"},   {"reg", "®"},    {"trade", "™"},  {"deg", "°"},   {"para", "¶"},   {"sect", "§"},
                           {"middot", "·"}, {"bull", "•"},   {"hellip", "…"}, {"mdash", "—"}, {"ndash", "–"},  {"lsquo", "‘"},
                           {"rsquo", "’"},  {"ldquo", "“"},  {"rdquo", "”"},  {"laquo", "«"}, {"raquo", "»"},  {"times", "×"},
                           {"divide", "÷"}, {"plusmn", "±"}, {"ne", "≠"},     {"le", "≤"},    {"ge", "≥"},     {"asymp", "≈"},
                           {"larr", "←"},   {"rarr", "→"},   {"uarr", "↑"},   {"darr", "↓"},  {"harr", "↔"},   {"infin", "∞"},
                           {"micro", "µ"},  {"pi", "π"},     {"euro", "€"},   {"pound", "£"}, {"lbrace", "{"}, {"rbrace", "}"},
                           {"ast", "*"},    {"lowbar", "_"}, {"vert", "|"},   {"num", "#"},   {"grave", "`"},  {"bsol", "\\"}};

std::optional<std::string> numbered(std::string_view digits) {
  int base = 10;
  if (digits.starts_with('x') || digits.starts_with('X')) {
    base = 16;
    digits.remove_prefix(1);
  }
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size() || value < 0x20) return std::nullopt;
  if (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) return std::nullopt;
  std::string text;
  append_utf8(text, value);
  // References to hidden characters stay text: written directly, these characters are not displayed either.
  if (has_hidden_characters(text)) return std::nullopt;
  return text;
}

}  // namespace

std::optional<std::string> decoded_entity(std::string_view reference) {
  if (reference.size() < 4 || !reference.starts_with('&') || !reference.ends_with(';')) return std::nullopt;
  const std::string_view name = reference.substr(1, reference.size() - 2);
  if (name.starts_with('#')) return numbered(name.substr(1));
  for (const Named& known : named)
    if (known.name == name) return std::string(known.text);
  return std::nullopt;
}

}  // namespace parlance::face

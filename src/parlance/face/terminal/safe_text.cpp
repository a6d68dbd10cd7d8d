#include "parlance/face/terminal/safe_text.h"

#include <utility>

#include "parlance/base/utf8.h"
#include "parlance/face/terminal/code_points.h"

namespace parlance::face {
namespace {

bool turns_direction(char32_t c) {
  return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F || c == 0x061C;
}
void append_harmless(std::string& out, char32_t c) {
  if (c == U'\n' || c == U'\t') return append_utf8(out, c);
  if (c < 0x20) return append_utf8(out, 0x2400 + c);
  if (c == 0x7F) return append_utf8(out, 0x2421);
  const bool breaks_line = c == 0x2028 || c == 0x2029;
  append_utf8(out, (c >= 0x80 && c < 0xA0) || breaks_line || turns_direction(c) ? 0xFFFD : c);
}

}  // namespace

std::string SafeText::feed(std::string_view text) {
  held_ += text;
  const std::string all = std::move(held_);
  held_.clear();
  std::string out;
  out.reserve(all.size());
  for (std::size_t at = 0; at < all.size();) {
    const CodePoint next = code_point_at(all, at);
    const bool last = at + 1 == all.size();
    if (next.cut || (all[at] == '\r' && last)) {
      held_ = all.substr(at);
      break;
    }
    if (all[at] != '\r' || all[at + 1] != '\n') append_harmless(out, next.value);
    at += next.bytes;
  }
  return out;
}
std::string SafeText::finish() {
  std::string out;
  for (std::size_t at = 0; at < held_.size();) {
    const CodePoint next = code_point_at(held_, at);
    append_harmless(out, next.value);
    at += next.bytes;
  }
  held_.clear();
  return out;
}

std::string safe_text(std::string_view text) {
  SafeText stream;
  std::string out = stream.feed(text);
  return out + stream.finish();
}
std::string safe_line(std::string_view text) {
  std::string out;
  for (const char c : safe_text(text)) {
    if (c == '\n') out += "␊";
    else out += c;
  }
  return out;
}

}  // namespace parlance::face

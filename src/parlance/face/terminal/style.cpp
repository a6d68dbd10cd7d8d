// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/terminal/style.h"

namespace parlance::face {
namespace {

std::string_view number(Ink ink) {
  switch (ink) {
    case Ink::bold: return "1";
    case Ink::dim: return "2";
    case Ink::code: return "36";
    case Ink::added: return "32";
    case Ink::removed: return "31";
  }
  return "0";
}

}  // namespace

std::string inked(std::string_view text, Ink ink, bool colours) {
  if (!colours || text.empty()) return std::string(text);
  return "\x1b[" + std::string(number(ink)) + "m" + std::string(text) + std::string(end_styles);
}

std::string begin_styles(Styles wanted) {
  if (wanted == 0) return {};
  std::string numbers;
  const auto add = [&](Styles style, std::string_view number) {
    if ((wanted & style) != 0) numbers += (numbers.empty() ? "" : ";") + std::string(number);
  };
  add(styles::bold, "1");
  add(styles::dim, "2");
  add(styles::italic, "3");
  add(styles::struck, "9");
  add(styles::code, "36");
  return "\x1b[" + numbers + "m";
}

}  // namespace parlance::face

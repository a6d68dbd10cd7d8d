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
  return "\x1b[" + std::string(number(ink)) + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace parlance::face

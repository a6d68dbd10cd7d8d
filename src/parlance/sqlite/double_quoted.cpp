// SPDX-License-Identifier: Apache-2.0
#include "parlance/sqlite/double_quoted.h"

namespace parlance::sqlite {

std::string double_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace parlance::sqlite

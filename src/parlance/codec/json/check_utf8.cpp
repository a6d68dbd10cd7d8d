// SPDX-License-Identifier: Apache-2.0
// In a file of its own, so that the reader needs no simdjson (CMakeLists.txt).
#include <simdjson.h>

#include "parlance/base/utf8.h"
#include "parlance/codec/json/reader.h"

namespace parlance::json {

bool check_utf8(std::string_view text) {
  // The call through simdjson's dispatch costs more than a short scan.
  if (text.size() <= 64) return is_valid_utf8(text);
  return simdjson::validate_utf8(text.data(), text.size());
}

}  // namespace parlance::json

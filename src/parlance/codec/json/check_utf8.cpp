// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/utf8.h"
#include "parlance/codec/json/reader.h"

namespace parlance::json {

bool check_utf8(std::string_view text) { return is_valid_utf8(text); }

}  // namespace parlance::json

// SPDX-License-Identifier: Apache-2.0
// The characters of \p{…}. Values; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "parlance/base/regex/characters.h"

namespace parlance::regex {

// `name`: the text between the braces, a general category ("L", "Letter", "gc=Lu"), a script ("Script=Greek", "sc=Han"), or a property such
// as Alphabetic or Emoji. Returns sorted ranges; empty: no table has the name.
std::optional<Ranges> unicode_property(std::string_view name);

}  // namespace parlance::regex

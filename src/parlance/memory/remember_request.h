// SPDX-License-Identifier: Apache-2.0
// Whether a person's message asks to keep something in memory ("remember that …", "don't forget …", "记住 …", "merke dir …"): then
// nobody has to ask them again. Knows some languages; in doubt it says no, and the person is asked. Pure; any thread.
#pragma once

#include <string_view>

namespace parlance::memory {

bool asks_to_remember(std::string_view message);

}  // namespace parlance::memory

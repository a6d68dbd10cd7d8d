// SPDX-License-Identifier: Apache-2.0
// Recognises a request to remember something in a person's message ("remember that …", "don't forget …", "记住 …", "merke dir …").
// Such a request replaces the approval question. Knows some languages; in doubt false, and the person is asked. Pure; any thread.
#pragma once

#include <string_view>

namespace parlance::memory {

bool asks_to_remember(std::string_view message);

}  // namespace parlance::memory

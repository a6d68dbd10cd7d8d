// SPDX-License-Identifier: Apache-2.0
// Writes JSON into a buffer of the caller, usually the output of a connection. Never fails: invalid UTF-8 becomes U+FFFD, NaN and infinities
// become null, as in JavaScript. Any thread, one buffer a thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace parlance::json {

void write_text(std::string& out, std::string_view text);  // with quotes
void write_integer(std::string& out, std::int64_t value);
void write_integer(std::string& out, std::uint64_t value);
void write_number(std::string& out, double value);  // the shortest exact text

// A JSON text as another program wrote it. The escape of half a surrogate pair (`\ud99c` alone) becomes `\ufffd`: strict readers refuse
// the whole document otherwise.
void write_raw(std::string& out, std::string_view json);

}  // namespace parlance::json

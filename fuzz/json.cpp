// SPDX-License-Identifier: Apache-2.0
// Any bytes as a JSON document: our reader and simdjson agree on its validity, and written values are read back unchanged.
#include <cstdint>
#include <string>

#include <simdjson.h>

#include "parlance/base/check.h"
#include "parlance/codec/json/reader.h"
#include "parlance/codec/json/value.h"

namespace {

using namespace parlance;

// simdjson refuses some valid JSON: integers beyond 64 bits, numbers beyond double, nesting beyond its own limit, lone
// surrogates.
bool may_differ(simdjson::error_code code) {
  // Newer versions have a separate code, absent in Debian 12's version.
  const std::string_view message = simdjson::error_message(code);
  if (message.starts_with("BIGINT_ERROR")) return true;
  return code == simdjson::NUMBER_ERROR || code == simdjson::DEPTH_ERROR || code == simdjson::STRING_ERROR ||
         code == simdjson::CAPACITY;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto ours = json::parse(text);
  static simdjson::dom::parser parser;
  const simdjson::error_code theirs = parser.parse(simdjson::padded_string(text)).error();
  // A byte order mark is no JSON to us, and skipped by newer simdjson.
  if (!may_differ(theirs) && !text.starts_with("\xEF\xBB\xBF"))
    PARLANCE_CHECK(ours.has_value() == (theirs == simdjson::SUCCESS), "the same verdict as simdjson");
  if (!ours) return 0;
  PARLANCE_CHECK(json::is_valid(text), "skipping takes what reading takes");
  const std::string written = json::to_text(*ours);
  const auto again = json::parse(written);
  PARLANCE_CHECK(again.has_value(), "what is written can be read");
  PARLANCE_CHECK(json::to_text(*again) == written, "reading and writing settle after one round");
  const auto compact = json::compact(text);
  PARLANCE_CHECK(compact && json::is_valid(*compact), "a compact document is a document");
  return 0;
}

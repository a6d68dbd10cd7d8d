// SPDX-License-Identifier: Apache-2.0
// A schema and a value, any bytes, parted by a line end: compiling and checking end, and a verdict stays what it was.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "parlance/base/check.h"
#include "parlance/codec/json/value.h"
#include "parlance/codec/schema/validator.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parlance;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view first = text.substr(0, text.find('\n'));
  const auto schema = json::parse(first);
  if (!schema) return 0;
  const auto validator = schema::Validator::compile(*schema);
  if (!validator) {
    PARLANCE_CHECK(validator.error().message.starts_with('#'), "a refusal names its place");
    return 0;
  }
  const auto value = json::parse(text.substr(std::min(first.size() + 1, text.size())));
  if (!value) return 0;
  const auto faults = validator->faults_of(*value);
  PARLANCE_CHECK(faults == validator->faults_of(*value), "the same verdict twice");
  return 0;
}

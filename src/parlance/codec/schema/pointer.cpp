// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/schema/pointer.h"

#include "parlance/base/text.h"

namespace parlance::schema {

std::string pointer_step(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '~') out += "~0";
    else if (c == '/') out += "~1";
    else out += c;
  }
  return out;
}

const json::Value* at_pointer(const json::Value& root, std::string_view pointer) {
  const json::Value* value = &root;
  if (pointer.empty()) return value;
  for (const std::string_view part : split(pointer.substr(1), '/')) {
    std::string name;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const bool escape = part[i] == '~' && i + 1 < part.size();
      name += !escape ? part[i] : part[++i] == '1' ? '/' : '~';
    }
    if (const json::Array* array = value->array()) {
      const bool one_form = name.size() == 1 || !name.starts_with('0');  // RFC 6901: no leading zeros
      const auto index = parse_number<std::size_t>(name);
      value = one_form && index && *index < array->size() ? &(*array)[*index] : nullptr;
    } else {
      value = value->find(name);
    }
    if (value == nullptr) return nullptr;
  }
  return value;
}

}  // namespace parlance::schema

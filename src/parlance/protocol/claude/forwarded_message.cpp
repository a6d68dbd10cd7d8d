// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/claude/forwarded_message.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "parlance/codec/json/reader.h"
#include "parlance/codec/json/writer.h"

namespace parlance::claude {

std::string forwarded_json(std::string_view received, std::string_view declared) {
  std::vector<std::pair<std::string, std::string_view>> members;  // texts, so that numbers stay as they were written
  const auto put = [&](std::string_view object) {
    json::Reader reader(object);
    for (bool more = reader.enter_object(); more; more = reader.next_member()) {
      std::string name(reader.key());
      std::string_view value;
      reader.skip(&value);
      const auto known = std::ranges::find(members, name, &std::pair<std::string, std::string_view>::first);
      if (known != members.end()) known->second = value;
      else if (name != "subtype") members.emplace_back(std::move(name), value);
    }
  };
  put(received);
  put(declared);
  std::string out = "{";
  for (const auto& [name, value] : members) {
    if (out.size() > 1) out += ',';
    json::write_text(out, name);
    out += ':';
    out += value;
  }
  return out + "}";
}

std::string subtype_of(const wire::Raw& request) {
  std::string subtype;
  json::Reader reader(request.json);
  for (bool more = reader.enter_object(); more; more = reader.next_member())
    if (reader.key() == "subtype" && reader.peek() == json::Token::text) {
      subtype.clear();
      reader.read_text(subtype);
    } else {
      reader.skip();
    }
  return subtype;
}

wire::Raw without_subtype(const wire::Raw& request) { return {forwarded_json(request.json, "{}")}; }

}  // namespace parlance::claude

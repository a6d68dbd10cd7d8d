// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/acp/outline.h"

#include "parlance/codec/json/reader.h"

namespace parlance::acp {
namespace {

// `sessionId` of an object, whatever else it has.
void read_session(json::Reader& reader, std::string& session) {
  if (reader.peek() != json::Token::object) {
    reader.skip();
    return;
  }
  for (bool more = reader.enter_object(); more; more = reader.next_member()) {
    if (reader.key() == "sessionId" && reader.peek() == json::Token::text) reader.read_text(session);
    else reader.skip();
  }
}

}  // namespace

std::optional<Outline> outline(std::string_view text) {
  json::Reader reader(text);
  if (!json::check_utf8(text) || reader.peek() != json::Token::object) return std::nullopt;
  Outline found;
  for (bool more = reader.enter_object(); more; more = reader.next_member()) {
    if (reader.key() == "method" && reader.peek() == json::Token::text) {
      reader.read_text(found.method);
    } else if (reader.key() == "id") {
      std::string_view raw;
      reader.skip(&raw);
      found.id_json = raw;
    } else if (reader.key() == "params" || reader.key() == "result") {
      read_session(reader, found.session);
    } else {
      found.is_error = found.is_error || reader.key() == "error";
      reader.skip();
    }
  }
  if (!reader.finish()) return std::nullopt;
  return found;
}

}  // namespace parlance::acp

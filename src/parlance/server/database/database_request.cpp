// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/database/database_request.h"

#include <algorithm>
#include <array>

#include "parlance/codec/json/value.h"

namespace parlance::server {

// `connect` may make a database and `snapshot` a file: neither is among them.
static constexpr std::array<std::string_view, 9> viewer_commands{"query",   "execute", "apply",  "undo", "schema",
                                                                 "columns", "close",   "cancel", "ping"};

Result<void> check_database_request(std::string_view message, std::string_view path) {
  // Blanks between tokens may be line ends, and the helper reads by lines.
  if (message.find_first_of("\r\n") != std::string_view::npos)
    return fail(Errc::invalid_request, "the message has a line end in it; write it on one line");
  PARLANCE_TRY(request, json::parse(message));
  if (request.object() == nullptr) return fail(Errc::invalid_request, "the message is no JSON object");
  const std::string_view command = request.text_or("cmd", "");
  if (std::ranges::find(viewer_commands, command) == viewer_commands.end())
    return fail(Errc::denied, "\"" + std::string(command) + "\" is none of a viewer's commands; sqlite-helper itself has more");
  const json::Value* payload = request.find("payload");
  const json::Value* other = payload != nullptr ? payload->find("path") : nullptr;
  if (command == "cancel" || command == "ping") return {};
  if (other == nullptr || other->text() == nullptr || *other->text() != path)
    return fail(Errc::denied, "this connection is for " + std::string(path) + " alone; open another for another database");
  return {};
}

std::string refused_request(std::string_view message, const Error& why) {
  json::Object answer;
  const json::Value request = json::parse_or_null(message);
  const json::Value* id = request.find("id");
  answer.set("v", 1);
  answer.set("id", id != nullptr ? *id : json::Value());
  answer.set("status", "error");
  answer.set("code", why.code == Errc::denied ? "PATH_NOT_ALLOWED" : "INVALID_REQUEST");
  answer.set("error", why.message);
  answer.set("details", json::Object());
  return json::to_text(json::Value(std::move(answer)));
}

}  // namespace parlance::server

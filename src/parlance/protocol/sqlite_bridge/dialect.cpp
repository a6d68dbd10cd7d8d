// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/sqlite_bridge/dialect.h"

#include "parlance/codec/json/reader.h"
#include "parlance/codec/json/writer.h"

namespace parlance::sqlite_bridge {
namespace {

std::unexpected<BadRequest> bad(std::string id, std::string what) {
  return std::unexpected(BadRequest{.id = std::move(id), .failure = {.code = Code::invalid_request, .error = std::move(what)}});
}

bool is_empty(const Details& details) {
  for (const wire::Field& field : Details::wire) {
    const wire::Type& type = field.type();
    if (type.optional->get(field.at(const_cast<Details*>(&details))) != nullptr) return false;
  }
  return true;
}

}  // namespace

std::string key_of(std::string_view id) {
  if (id.empty() || id == "null") return {};
  if (id.front() != '"') return "n" + std::string(id);
  std::string text;
  json::Reader reader(id);
  reader.read_text(text);
  return "t" + text;
}
std::string Request::key() const { return key_of(id); }

std::expected<Request, BadRequest> decode(BytesView line) {
  if (!json::check_utf8(line)) return bad("null", "the line is not UTF-8");
  json::Reader reader(line);
  if (reader.peek() != json::Token::object) return bad("null", "not a JSON object");
  Request request{.id = "null", .payload = "{}"};
  std::string_view version_text;
  std::string_view payload;
  bool has_command = false;
  for (bool more = reader.enter_object(); more; more = reader.next_member()) {
    const std::string_view key = reader.key();
    const json::Token token = reader.peek();
    std::string_view raw;
    if (key == "cmd" && token == json::Token::text) {
      has_command = reader.read_text(request.command);
    } else if (key == "id") {
      reader.skip(&raw);
      request.id = token == json::Token::text || token == json::Token::number ? std::string(raw) : "null";
    } else if (key == "v") {
      reader.skip(&version_text);
    } else if (key == "payload") {
      reader.skip(&payload);
    } else {
      reader.skip();
    }
  }
  if (!reader.finish()) return bad("null", "not a JSON object");
  if (!version_text.empty() && version_text != "1") {
    auto failed = bad(request.id, "unsupported protocol version " + std::string(version_text.substr(0, 64)));
    failed.error().failure.details.supported = std::vector<int>{version};
    return failed;
  }
  if (!has_command) return bad(request.id, "\"cmd\" is missing");
  if (!payload.empty() && payload != "null") {
    if (payload.front() != '{') return bad(request.id, "\"payload\" must be an object");
    request.payload = payload;
  }
  return request;
}

void begin_answer(std::string& out, std::string_view id) {
  out += R"({"v":1,"id":)";
  out += id;
  out += R"(,"status":"ok","data":)";
}

void encode_error(std::string& out, std::string_view id, const Failure& failure) {
  out += R"({"v":1,"id":)";
  out += id;
  out += R"(,"status":"error","code":")";
  out += wire::name_of(failure.code);
  out += R"(","error":)";
  json::write_text(out, failure.error);
  if (!is_empty(failure.details)) {
    out += R"(,"details":)";
    json::write(out, wire::type_of<Details>(), &failure.details);
  }
  out += '}';
}

}  // namespace parlance::sqlite_bridge

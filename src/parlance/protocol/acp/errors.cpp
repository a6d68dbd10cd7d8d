// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/acp/errors.h"

#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"
#include "parlance/codec/json/writer.h"
#include "parlance/protocol/jsonrpc/dialect.h"

namespace parlance::acp {
namespace {

long code_of(Errc ours) {
  switch (ours) {
    case Errc::invalid_request: return code::invalid_request;
    case Errc::unknown_method: return code::unknown_method;
    case Errc::invalid_params: return code::invalid_params;
    case Errc::not_found: return code::not_found;
    case Errc::cancelled: return code::cancelled;
    default: return code::internal;
  }
}

// True: the text begins with the path of an unreadable member, such as "$.cwd: missing".
bool names_a_place(const Error& error) { return error.code == Errc::invalid_params && error.message.starts_with('$'); }

std::string text_json(std::string_view text) {
  std::string out;
  json::write_text(out, text);
  return out;
}

std::string text_of(const json::Value& data) {
  if (const std::string* text = data.text()) return *text;
  if (data.object() == nullptr) return data.is_null() ? "" : json::to_text(data);
  for (const char* name : {"details", "message", "error"})
    if (const json::Value* found = data.find(name); found != nullptr && found->text() != nullptr) return *found->text();
  return json::to_text(data);
}

}  // namespace

long code_of(const Error& error) { return jsonrpc::exact_code(error).value_or(code_of(error.code)); }

Error auth_required(std::string message) { return jsonrpc::with_code(code::auth_required, std::move(message)); }

bool is_auth_required(const Error& error) { return jsonrpc::exact_code(error) == code::auth_required; }

Error unknown_method(std::string_view method) {
  return jsonrpc::with_code(code::unknown_method, "\"Method not found\": " + std::string(method),
                            R"({"method":)" + text_json(method) + "}");
}

bool says_not_found(const Error& error) {
  if (error.code == Errc::not_found) return true;
  const std::string words = to_lower(error_text(error));
  return words.contains("not found") || words.contains("no such file") || words.contains("enoent");
}

std::string error_text(const Error& error) {
  const std::string_view data = jsonrpc::exact_data(error);
  if (data.empty()) return error.message;
  const std::string more = text_of(json::parse_or_null(data));
  return more.empty() || error.message.contains(more) ? error.message : error.message + ": " + more;
}

std::string error_reply(const RequestId& id, const Error& error) {
  const std::string id_json = !id.present ? "null" : !id.raw.empty() ? id.raw : std::to_string(id.number);
  if (names_a_place(error))
    return jsonrpc::error_reply(id_json, code::invalid_params, "Invalid params",
                                R"({"details":)" + text_json(error.message) + "}");
  const bool own = jsonrpc::exact_code(error).has_value();
  const std::string_view data = own ? jsonrpc::exact_data(error) : std::string_view(error.data);
  return jsonrpc::error_reply(id_json, code_of(error), error.message, json::is_valid(data) ? data : std::string_view{});
}

}  // namespace parlance::acp

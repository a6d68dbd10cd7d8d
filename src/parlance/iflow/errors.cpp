// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/errors.h"

#include "parlance/codec/json/value.h"
#include "parlance/protocol/acp/errors.h"

namespace parlance::iflow {
namespace {

Errc code_for(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::timeout: return Errc::deadline_exceeded;
    case ErrorKind::json_decode: return Errc::invalid_request;
    case ErrorKind::not_installed: return Errc::not_found;
    case ErrorKind::port_not_available: return Errc::overloaded;
    case ErrorKind::connection:
    case ErrorKind::transport: return Errc::disconnected;
    case ErrorKind::permission:
    case ErrorKind::authentication: return Errc::denied;
    case ErrorKind::validation: return Errc::invalid_params;
    case ErrorKind::general:
    case ErrorKind::process:
    case ErrorKind::protocol: break;
  }
  return Errc::failed;
}

std::string data_of(ErrorKind kind, std::string_view name, std::string_view json) {
  json::Object data;
  data.set("kind", wire::name_of(kind));
  if (!json.empty()) data.set(std::string(name), json::parse_or_null(json));
  return json::to_text(json::Value(std::move(data)));
}

}  // namespace

Error make_error(ErrorKind kind, std::string message, std::string_view details_json) {
  return {.code = code_for(kind), .message = std::move(message), .data = data_of(kind, "details", details_json)};
}

Error as_kind(ErrorKind kind, Error error) {
  if (json::parse_or_null(error.data).find("kind") != nullptr) return error;
  error.data = data_of(kind, "data", error.data);
  return error;
}

ErrorKind kind_of(const Error& error) {
  const json::Value data = json::parse_or_null(error.data);
  if (const auto kind = wire::enum_from<ErrorKind>(data.text_or("kind", ""))) return *kind;
  if (acp::is_auth_required(error)) return ErrorKind::authentication;
  switch (error.code) {
    case Errc::deadline_exceeded: return ErrorKind::timeout;
    case Errc::disconnected: return ErrorKind::connection;
    case Errc::denied: return ErrorKind::permission;
    case Errc::invalid_params: return ErrorKind::validation;
    case Errc::invalid_request:
    case Errc::unknown_method:
    case Errc::not_found: return ErrorKind::protocol;
    default: return ErrorKind::general;
  }
}

long code_of(const Error& error) {
  const json::Value data = json::parse_or_null(error.data);
  const json::Value* inner = data.find("kind") == nullptr ? &data : data.find("data");
  if (inner != nullptr)
    if (const std::int64_t number = inner->integer_or("code", 0); number != 0) return static_cast<long>(number);
  return error.code == Errc::disconnected ? -1 : acp::code_of(error);
}

}  // namespace parlance::iflow

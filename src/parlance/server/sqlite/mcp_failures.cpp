// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/sqlite/mcp_failures.h"

#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/writer.h"
#include "parlance/protocol/jsonrpc/dialect.h"
#include "parlance/protocol/mcp/era.h"
#include "parlance/server/sqlite/convert.h"

namespace parlance::server {
namespace {

constexpr long internal_error = -32603;

// Faults of the caller's parameters are invalid_params; all other faults are internal errors.
long number_of(sqlite::Fault fault) {
  switch (fault) {
    case sqlite::Fault::invalid_request:
    case sqlite::Fault::path_not_allowed:
    case sqlite::Fault::open_failed: return mcp::code::invalid_params;
    default: return internal_error;
  }
}

}  // namespace

mcp::CallToolResult failed_call(const sqlite::Failure& failure) {
  const sqlite_bridge::Failure wire_failure = to_wire(failure);
  const std::string code(wire::name_of(wire_failure.code));
  mcp::CallToolResult result;
  result.content.emplace().push_back(mcp::text(code + ": " + wire_failure.error));
  result.is_error = true;
  result.meta.json = R"({"code":")" + code + '"';
  if (const std::string details = json::to_text(wire_failure.details); details != "{}")
    result.meta.json += R"(,"details":)" + details;
  result.meta.json += '}';
  return result;
}

mcp::CallToolResult failed_call(std::string what) {
  return failed_call(sqlite::Failure{.fault = sqlite::Fault::invalid_request, .message = std::move(what)});
}

Error protocol_error(const sqlite::Failure& failure, std::string_view uri) {
  const sqlite_bridge::Failure wire_failure = to_wire(failure);
  std::string data = "{";
  if (!uri.empty()) {
    data += R"("uri":)";
    json::write_text(data, uri);
    data += ',';
  }
  data += R"("code":")" + std::string(wire::name_of(wire_failure.code)) + '"';
  if (const std::string details = json::to_text(wire_failure.details); details != "{}") data += R"(,"details":)" + details;
  data += '}';
  return jsonrpc::with_code(number_of(failure.fault), wire_failure.error, data);
}

}  // namespace parlance::server

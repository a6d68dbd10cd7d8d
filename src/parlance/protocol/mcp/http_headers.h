// SPDX-License-Identifier: Apache-2.0
// Headers of 2026-07-28 that repeat parts of the body for proxies: MCP-Protocol-Version, Mcp-Method, Mcp-Name, and Mcp-Param-*
// for arguments whose schema has `x-mcp-header`. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/protocol/mcp/content.h"
#include "parlance/transport/http/http_client.h"

namespace parlance::mcp {

// The parts of a message that the HTTP side needs.
struct Outline {
  bool is_object = false;
  std::string id_json{};  // Empty: no id.
  std::string method{};   // Empty: a reply, or nothing if `is_reply` is false.
  bool is_reply = false;
  std::string name{};  // params.name, or params.uri of resources/read.
  bool has_name = false;
  std::string arguments{};               // params.arguments, unchanged.
  std::optional<std::string> version{};  // Of the envelope.
  bool has_meta = false;
  std::string cancelled_json{};  // params.requestId of notifications/cancelled.
  bool has_id() const { return !id_json.empty(); }
};
// Errors: invalid_request for malformed JSON.
Result<Outline> outline(std::string_view message);

bool names_something(std::string_view method);  // Its requests carry Mcp-Name.

// Encodes text that no header can carry (other than visible ASCII and inner blanks, or similar to an encoding) as =?base64?…?=.
std::string header_text(std::string_view value);
// Decodes. Absent: malformed base64.
std::optional<std::string> from_header_text(std::string_view value);

// Properties of a tool's input schema that headers repeat. Errors: invalid_request for a tool with an invalid declaration (empty
// or duplicate names, impossible header names, types other than text, numbers and booleans). Clients must not offer such a tool.
struct MirroredArgument {
  std::vector<std::string> path{};  // Properties from the outside in.
  std::string header{};             // Without "Mcp-Param-".
};
Result<std::vector<MirroredArgument>> mirrored_arguments(const Raw& input_schema);
// Headers of a call. Absent and null arguments have none.
std::vector<HttpHeader> mirror_headers(const std::vector<MirroredArgument>& mirrored, std::string_view arguments_json);

// -32020 unless headers and body agree. `input_schema` is the schema of the tool of a tools/call, or null.
Result<void> check_headers(const std::vector<HttpHeader>& headers, const Outline& message, const Raw* input_schema);

}  // namespace parlance::mcp

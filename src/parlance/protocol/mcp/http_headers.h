// SPDX-License-Identifier: Apache-2.0
// The headers that requests of 2026-07-28 carry beside their body, so that what stands between client and server need not read it:
// MCP-Protocol-Version, Mcp-Method, Mcp-Name, and Mcp-Param-* for arguments whose schema has `x-mcp-header`. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/protocol/mcp/content.h"
#include "parlance/transport/http/http_client.h"

namespace parlance::mcp {

// What the HTTP side must know of a message without reading it whole.
struct Outline {
  bool is_object = false;
  bool has_id = false;
  std::string id_json{};
  std::string method{};  // "": a reply
  std::string name{};    // params.name, or params.uri of resources/read
  bool has_name = false;
  std::string arguments{};               // params.arguments as it stands
  std::optional<std::string> version{};  // of the envelope
  bool has_meta = false;
  std::string cancelled_json{};  // params.requestId of notifications/cancelled
};
// Errors: invalid_request when it is no JSON.
Result<Outline> outline(std::string_view message);

bool names_something(std::string_view method);  // its requests carry Mcp-Name

// Text that no header can carry as it is (other than visible ASCII and inner blanks, or that looks encoded) as =?base64?…?=.
std::string header_text(std::string_view value);
// Back again; nothing when the base64 is broken.
std::optional<std::string> from_header_text(std::string_view value);

// Properties of a tool's input schema that are mirrored in headers. Errors: invalid_request for a tool whose declaration is broken
// (empty or doubled names, names that no header can have, types other than text, numbers and booleans), which clients must not offer.
struct MirroredArgument {
  std::vector<std::string> path{};  // properties from the outside in
  std::string header{};             // without "Mcp-Param-"
};
Result<std::vector<MirroredArgument>> mirrored_arguments(const Raw& input_schema);
// The headers of one call; arguments that are absent or null have none.
std::vector<HttpHeader> mirror_headers(const std::vector<MirroredArgument>& mirrored, std::string_view arguments_json);

// -32020 unless the headers say what the body says. `input_schema` of the tool of a tools/call, or null.
Result<void> check_headers(const std::vector<HttpHeader>& headers, const Outline& message, const Raw* input_schema);

}  // namespace parlance::mcp

// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/era.h"

#include <algorithm>

#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/writer.h"
#include "parlance/protocol/jsonrpc/dialect.h"

namespace parlance::mcp {

bool is_legacy_version(std::string_view version) {
  return std::find(legacy_versions.begin(), legacy_versions.end(), version) != legacy_versions.end();
}

std::string_view answered_version(std::string_view requested) {
  if (requested == "2025-03-26") return "2024-11-05";
  const auto* const known = std::ranges::find(legacy_versions, requested);
  return known == legacy_versions.end() ? legacy_versions.front() : *known;
}

Error unsupported_version(std::string_view requested) {
  std::string data = R"({"supported":[)";
  json::write_text(data, modern_version);
  data += R"(],"requested":)";
  json::write_text(data, requested);
  data += '}';
  return jsonrpc::with_code(code::unsupported_version, "unsupported protocol version: " + std::string(requested), data);
}

Error missing_capability(std::string_view name) {
  std::string data = R"({"requiredCapabilities":{)";
  json::write_text(data, name);
  data += ":{}}}";
  return jsonrpc::with_code(code::missing_capability, "the client does not declare the capability \"" + std::string(name) + '"',
                            data);
}

Result<Meta> read_meta(const Raw& meta) {
  if (meta.json.empty() || meta.json == "null") return Meta{};
  auto read = json::from_text<Meta>(meta.json, {.known_utf8 = true});
  if (!read) return fail(Errc::invalid_params, "_meta: " + read.error().message);
  return read;
}

Result<void> check_envelope(const Meta& meta) {
  if (!meta.protocol_version)
    return fail(Errc::invalid_params, "_meta lacks io.modelcontextprotocol/protocolVersion, which every request must carry");
  if (*meta.protocol_version != modern_version) return fail(unsupported_version(*meta.protocol_version));
  if (!meta.client_capabilities)
    return fail(Errc::invalid_params, "_meta lacks io.modelcontextprotocol/clientCapabilities, which every request must carry");
  return {};
}

int log_severity(std::string_view level) {
  static constexpr std::array<std::string_view, 8> levels{"debug", "info",     "notice", "warning",
                                                          "error", "critical", "alert",  "emergency"};
  const auto found = std::find(levels.begin(), levels.end(), level);
  return found == levels.end() ? -1 : static_cast<int>(found - levels.begin());
}

}  // namespace parlance::mcp

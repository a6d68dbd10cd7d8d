// SPDX-License-Identifier: Apache-2.0
// The source of a request according to its headers. The parsing is strict, because a page of another site differs from a trusted
// page in few characters only. Every HTTP server of parlance uses it (decision 0021). Values; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "parlance/transport/http/http_server.h"

namespace parlance {

// NAME or NAME:PORT or [SIX]:PORT, without user and blanks, and with a numeric port.
struct Authority {
  std::string_view name{};  // "localhost", "127.0.0.1", "::1"
  std::string_view port{};  // Empty: absent.
};
std::optional<Authority> parse_authority(std::string_view text);

// The form of browsers: http or https, and an authority. `null` (a sandboxed frame, a file) is not an origin.
struct WebOrigin {
  std::string_view scheme{};  // "http" or "https", in any case.
  Authority at{};
  bool secure() const;
};
std::optional<WebOrigin> parse_origin(std::string_view text);

// True: both name the same server. An absent port is the port of the scheme.
bool same_server(const WebOrigin& origin, const Authority& host);

// The single header of this name. Absent: no header, or more than one.
std::optional<std::string_view> only_header(const ServerRequest& request, std::string_view name);
bool has_header(const ServerRequest& request, std::string_view name);

// 127.0.0.0/8 and ::1 as numbers, and localhost. "127.evil.example" is false: attackers can register such names.
bool is_loopback_name(std::string_view name);

// True: the Content-Type is this type with any parameters: "application/json; charset=utf-8", not "application/jsonx".
bool is_media_type(std::string_view content_type, std::string_view wanted);

}  // namespace parlance

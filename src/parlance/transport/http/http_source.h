// SPDX-License-Identifier: Apache-2.0
// Where a request comes from, as its headers say: read strictly, because what a browser sends here for a page of another site differs from
// what a friend sends in a few characters. Every HTTP server of ours asks here (decision 0021). Values; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "parlance/transport/http/http_server.h"

namespace parlance {

// NAME or NAME:PORT or [SIX]:PORT, and nothing else: no user, no blank, a port that is a number.
struct Authority {
  std::string_view name{};  // "localhost", "127.0.0.1", "::1"
  std::string_view port{};  // "" when absent
};
std::optional<Authority> parse_authority(std::string_view text);

// As browsers send it: http or https, and an authority. `null` (a sandboxed frame, a file) is none.
struct WebOrigin {
  std::string_view scheme{};  // "http", "https", in whatever case it came
  Authority at{};
  bool secure() const;
};
std::optional<WebOrigin> parse_origin(std::string_view text);

// Whether both mean one server: an absent port is that of the scheme.
bool same_server(const WebOrigin& origin, const Authority& host);

// The only one of that name; nothing when there is none or more than one.
std::optional<std::string_view> only_header(const ServerRequest& request, std::string_view name);
bool has_header(const ServerRequest& request, std::string_view name);

// 127.0.0.0/8 and ::1 as numbers, and localhost: "127.evil.example" is a name that anybody may own.
bool is_loopback_name(std::string_view name);

// Whether a Content-Type is this one, with whatever parameters: "application/json; charset=utf-8", not "application/jsonx".
bool is_media_type(std::string_view content_type, std::string_view wanted);

}  // namespace parlance

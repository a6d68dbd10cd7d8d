// SPDX-License-Identifier: Apache-2.0
// The sign-in cookie of a browser after its first visit: later bookmarks need no token. A page with the token receives the
// cookie, out of reach of scripts (HttpOnly) and of other sites (SameSite=Strict). The cookie is derived from the token without
// containing the token. The cookie is valid as long as the token, also across restarts, and grants no access to other frontends.
//
// Browsers send a cookie to every port of a host. So the cookie counts only in requests of a page of this server: with its
// Origin, or with our own header. Pages of other servers may not set this header without permission. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::gateway {

inline constexpr std::string_view page_header = "X-Parlance-Page";

class PageCookie {
 public:
  explicit PageCookie(std::string token) : token_(std::move(token)) {}

  // Whether the request has the cookie of this token and comes from a page of this server. False for an empty token.
  bool is_valid_in(const ServerRequest& request) const;
  // The value of Set-Cookie for this browser. Errors: OpenSSL is missing.
  Result<std::string> given_to(const ServerRequest& request) const;
  // The value of Set-Cookie that deletes the cookie.
  static std::string taken_from(const ServerRequest& request);

  // The unchecked value of the cookie in a request of a page of this server. No value: another page, or no cookie.
  static std::optional<std::string> shown_by(const ServerRequest& request);
  // The cookie's value for a token: an HMAC-SHA-256 with the token as its key, in hex. Errors: OpenSSL is missing.
  static Result<std::string> value_for(std::string_view token);
  // The value of Set-Cookie for a known value of the cookie; restarts its 90 days.
  static std::string given_again(const ServerRequest& request, const std::string& value);

 private:
  std::string token_;
};

}  // namespace parlance::gateway

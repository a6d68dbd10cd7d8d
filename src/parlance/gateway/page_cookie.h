// SPDX-License-Identifier: Apache-2.0
// The cookie by which a browser gets in that was here before: a bookmark then needs no token in its address. A page that has shown the token
// is given it, out of reach of scripts (HttpOnly) and of other sites (SameSite=Strict). It is made from the token, without being it, so that
// it holds as long as the token does, over restarts too, and nobody who finds it can speak to other faces with it.
//
// Browsers send a cookie to every port of a host. So it counts only in requests that nothing but a page of this very server can make: those
// with its Origin, or with a header of our own, which pages of other servers may not set unasked. Values; any thread.
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

  bool brought_by(const ServerRequest& request) const;
  // What Set-Cookie says to the browser that asks. Errors: of OpenSSL, which is not there.
  Result<std::string> given_to(const ServerRequest& request) const;
  static std::string taken_from(const ServerRequest& request);

  // Whatever a request of our page brings; nothing: it is of no page of ours, or brings none.
  static std::optional<std::string> shown_by(const ServerRequest& request);
  static Result<std::string> value_for(std::string_view token);
  static std::string given_again(const ServerRequest& request, const std::string& value);

 private:
  std::string token_;
};

}  // namespace parlance::gateway

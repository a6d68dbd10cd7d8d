// SPDX-License-Identifier: Apache-2.0
// Receives the redirect of a login on a port of this machine (RFC 8252, section 7.3). Only a GET of the right path with the state
// of the login counts; other requests are refused and change nothing. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "parlance/async/channel.h"
#include "parlance/base/uri.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::oauth {

class RedirectListener {
 public:
  RedirectListener(Loop& loop, std::string state) : loop_(loop), state_(std::move(state)), arrived_(loop) {}
  RedirectListener(const RedirectListener&) = delete;
  RedirectListener& operator=(const RedirectListener&) = delete;

  // Port 0: a free one. Errors: the port is in use.
  Result<void> listen(unsigned short port);
  std::string address() const;  // the redirect_uri
  // The query of the redirect, with its state already compared. The page of the browser is sent by then.
  Task<Result<QueryParameters>> wait();

 private:
  Task<void> answer(HttpExchange& exchange);
  Loop& loop_;
  std::string state_;
  std::optional<QueryParameters> query_{};
  Signal arrived_;
  std::unique_ptr<HttpServer> server_{};
};

// The port in a redirect address of this class. 0: another address.
unsigned short port_of_redirect(std::string_view address);

}  // namespace parlance::oauth

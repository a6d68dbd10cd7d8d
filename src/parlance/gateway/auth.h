// SPDX-License-Identifier: Apache-2.0
// Authenticates clients of the gateway. Three separate checks: the intended machine (Host, against DNS rebinding), pages of other
// sites (Origin), and the client's token: of this machine, or of a user of the team.
//
// The token counts only where no foreign page can put a token: in a header, or among the subprotocols of a WebSocket; or our own
// page sends its cookie (page_cookie.h). `?token=` ends up in logs and histories, and is accepted for a single route, whose
// deployed clients have no alternative. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/base/clock.h"
#include "parlance/gateway/page_cookie.h"
#include "parlance/hub/team/team.h"
#include "parlance/transport/http/http_source.h"

namespace parlance::gateway {

struct AuthSettings {
  std::string token{};                         // empty: no access
  std::vector<std::string> hosts{};            // host names of people besides the loopback names: "devbox.lan"
  std::vector<std::string> origins{};          // other permitted origins, in the browsers' form: "https://chat.example"
  std::function<WallTime()> clock = wall_now;  // for the expiry of tokens; gateways of one database share the database's clock
};

enum class Access : std::uint8_t {
  probe,            // open, with any name or address: for load balancers, some of which use the bare address. Reveals nothing
  open,             // the page itself, without secrets
  token,            // in a header: `Authorization: Bearer …` or `X-OCG-UI-Token`; or the page's cookie
  socket,           // like `token`, or as the subprotocol `token.…`: browsers set no headers for a WebSocket
  socket_or_query,  // like `socket`, or as `?token=…`, but without a cookie: these clients are not the page of this server
  runner,           // like `socket`, with a runner's token, which is valid nowhere else, or the machine's own token
};

// `wrong_kind`: a person's valid token on a runner's route, or the reverse.
enum class Verdict : std::uint8_t { fine, bad_host, foreign_host, foreign_origin, no_token, wrong_token, wrong_kind };

// The client's identity in a request. The caller is set for the verdict fine, except on open routes.
struct Shown {
  Verdict verdict = Verdict::no_token;
  hub::CallerPtr caller = nullptr;  // null: none is known
  std::string token{};              // the valid token; empty: a cookie
};

class Auth {
 public:
  explicit Auth(AuthSettings settings);

  Verdict check_source(const ServerRequest& request) const;  // Host and Origin
  // The caller behind the first valid token of the request, where this access may look for tokens. Several tokens: an invalid
  // one is ignored beside a valid one. Call after `check_source`.
  Shown check_token(const ServerRequest& request, Access access) const;
  // The value of Set-Cookie for a page with a token or such a cookie. Errors: neither; those of OpenSSL.
  Result<std::string> cookie_for(const ServerRequest& request) const;

  // Accepts the listening address as a name, unless the address is a wildcard: a foreign page cannot use this address.
  void answers_to(const std::string& listening);
  // The permitted users for new requests, besides the person of this machine. Null: only this person.
  void set_team(hub::TeamPtr team) { team_ = std::move(team); }
  // False: only the person of this machine has access.
  bool has_team() const { return team_ != nullptr; }
  // Whether a caller with this token (hub::Token::id) keeps the same rights.
  bool is_current(const hub::Caller& caller) const;

 private:
  // RFC 3339, by AuthSettings::clock, as in hub::Token::expires_at.
  std::string now() const { return to_rfc3339(settings_.clock()); }
  // A loopback name, or one of AuthSettings::hosts; without regard to case.
  bool is_own_host(std::string_view name) const;
  // The server of `host` with either scheme, or one of AuthSettings::origins.
  bool is_own_origin(std::string_view origin, const Authority& host) const;
  AuthSettings settings_;
  hub::CallerPtr caller_of(std::string_view token) const;  // null: unknown token
  // Null: no cookie, a cookie of a revoked token, or a request of another page.
  hub::CallerPtr caller_of_cookie(const ServerRequest& request) const;
  PageCookie cookie_;
  hub::TeamPtr team_;
};

// SHA-256 of a token or of a cookie's value, in the form of hub::Token.
std::string hash_of(std::string_view secret);

}  // namespace parlance::gateway

// SPDX-License-Identifier: Apache-2.0
// Who may talk to the gateway, and who they are. Three questions, each with its own answer: is this the machine that the client meant to
// reach (Host, against DNS rebinding), does a page of another site speak (Origin), and whose token does the client show: that of this
// machine, or one of a user of the team.
//
// The token counts only where no foreign page can put it: in a header, or among the subprotocols of a WebSocket; or our own page brings the
// cookie that it was given for it (page_cookie.h). `?token=` lands in logs and histories and is taken for one route only, whose deployed
// clients know no other way. Loop thread only.
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
  std::string token{};                 // empty: nobody gets in
  std::vector<std::string> hosts{};    // names beside the loopback ones by which people reach us: "devbox.lan"
  std::vector<std::string> origins{};  // other origins whose pages may speak, as browsers send them: "https://chat.example"
  std::function<WallTime()> clock = wall_now;  // for the expiry of tokens; gateways of one database share the database's clock
};

enum class Access : std::uint8_t {
  probe,   // open, and by whatever name or address: of load balancers, some of which ask by the address alone. It says nothing
  open,    // the page itself, which holds no secret
  token,   // in a header: `Authorization: Bearer …` or `X-OCG-UI-Token`; or the page's cookie
  socket,  // … or as the subprotocol `token.…`: browsers can give a WebSocket no header
  socket_or_query,  // … or as `?token=…`, and no cookie: these clients are no page of ours
  runner,  // as for a socket: the token of a runner, which opens nothing else, or this machine's own; no person's of a team
};

// `wrong_kind`: a token that holds, of a person where runners come in, or the other way round.
enum class Verdict : std::uint8_t { fine, bad_host, foreign_host, foreign_origin, no_token, wrong_token, wrong_kind };

// What a request shows of its client. The caller is there when the verdict is fine, but where everybody may be.
struct Shown {
  Verdict verdict = Verdict::no_token;
  hub::CallerPtr caller = nullptr;
  std::string token{};  // that was right; empty: it was a cookie
};

class Auth {
 public:
  explicit Auth(AuthSettings settings);

  Verdict check_source(const ServerRequest& request) const;  // Host and Origin
  Shown check_token(const ServerRequest& request, Access access) const;
  // What Set-Cookie says to a page that has shown a token, or such a cookie. Errors: it has not; those of OpenSSL.
  Result<std::string> cookie_for(const ServerRequest& request) const;

  // The address that is listened on is a name as well, but where it is any: a page of somebody else's cannot be at it.
  void answers_to(const std::string& listening);
  // Whoever comes from now on is one of these, or the person of this machine. Null: that person alone.
  void set_team(hub::TeamPtr team) { team_ = std::move(team); }
  bool has_team() const { return team_ != nullptr; }
  // Whether who came in with this token (hub::Token::id) may still be here as they came.
  bool still_has(const hub::Caller& caller) const;

 private:
  std::string now() const { return to_rfc3339(settings_.clock()); }
  bool is_own_host(std::string_view name) const;
  bool is_own_origin(std::string_view origin, const Authority& host) const;
  AuthSettings settings_;
  hub::CallerPtr caller_of(std::string_view token) const;  // null: nobody's
  hub::CallerPtr caller_of_cookie(const ServerRequest& request) const;
  PageCookie cookie_;
  hub::TeamPtr team_;
};

// SHA-256 of a token or of a cookie's value, as hub::Token keeps it.
std::string hash_of(std::string_view secret);

}  // namespace parlance::gateway

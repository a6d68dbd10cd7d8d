// Who may talk to the gateway. Three questions, each with its own answer: is this the machine that the client meant to reach (Host,
// against DNS rebinding), does a page of another site speak (Origin), and does the client know the token.
//
// The token counts only where no foreign page can put it: in a header, or among the subprotocols of a WebSocket; or our own page brings the
// cookie that it was given for it (page_cookie.h). `?token=` lands in logs and histories and is taken for one route only, whose deployed
// clients know no other way. Values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/gateway/page_cookie.h"
#include "parlance/transport/http/http_source.h"

namespace parlance::gateway {

struct AuthSettings {
  std::string token{};                 // empty: nobody gets in
  std::vector<std::string> hosts{};    // names beside the loopback ones by which people reach us: "devbox.lan"
  std::vector<std::string> origins{};  // other origins whose pages may speak, as browsers send them: "https://chat.example"
};

enum class Access : std::uint8_t {
  open,             // the page itself, which holds no secret
  token,            // in a header: `Authorization: Bearer …` or `X-OCG-UI-Token`; or the page's cookie
  socket,           // … or as the subprotocol `token.…`: browsers can give a WebSocket no header
  socket_or_query,  // … or as `?token=…`, and no cookie: these clients are no page of ours
};

enum class Verdict : std::uint8_t { fine, bad_host, foreign_host, foreign_origin, no_token, wrong_token };

class Auth {
 public:
  explicit Auth(AuthSettings settings);

  Verdict check_source(const ServerRequest& request) const;  // Host and Origin
  Verdict check_token(const ServerRequest& request, Access access) const;
  const PageCookie& cookie() const { return cookie_; }

 private:
  bool is_own_host(std::string_view name) const;
  bool is_own_origin(std::string_view origin, const Authority& host) const;
  AuthSettings settings_;
  PageCookie cookie_;
};

}  // namespace parlance::gateway

#include "parlance/gateway/auth.h"

#include <algorithm>

#include "parlance/base/secret.h"
#include "parlance/base/text.h"

namespace parlance::gateway {
namespace {

constexpr std::string_view bearer = "Bearer ";
constexpr std::string_view token_subprotocol = "token.";

template <class F>
void each_header(const ServerRequest& request, std::string_view name, F visit) {
  for (const HttpHeader& header : request.headers)
    if (equal_ignoring_case(header.name, name)) visit(std::string_view(header.value));
}

}  // namespace

Auth::Auth(AuthSettings settings) : settings_(std::move(settings)), cookie_(settings_.token) {}

bool Auth::is_own_host(std::string_view name) const {
  if (is_loopback_name(name)) return true;
  for (const std::string& own : settings_.hosts)
    if (equal_ignoring_case(own, name)) return true;
  return false;
}

// Both schemes: a proxy in front of us may speak TLS, and whoever serves https://HOST is the one whom HOST belongs to.
bool Auth::is_own_origin(std::string_view text, const Authority& host) const {
  if (std::ranges::find(settings_.origins, text) != settings_.origins.end()) return true;
  const auto origin = parse_origin(text);  // none: `null` among others, of sandboxed frames and files of this machine
  return origin && same_server(*origin, host);
}

Verdict Auth::check_source(const ServerRequest& request) const {
  const auto host = parse_authority(only_header(request, "Host").value_or(""));
  if (!host) return Verdict::bad_host;
  if (!is_own_host(host->name)) return Verdict::foreign_host;
  if (!has_header(request, "Origin")) return Verdict::fine;
  const auto origin = only_header(request, "Origin");
  return origin && is_own_origin(*origin, *host) ? Verdict::fine : Verdict::foreign_origin;
}

Verdict Auth::check_token(const ServerRequest& request, Access access) const {
  if (access == Access::open) return Verdict::fine;
  bool given = false;
  bool right = false;
  const auto look = [&](std::string_view candidate) {
    candidate = trim(candidate);
    if (candidate.empty()) return;
    given = true;
    if (!settings_.token.empty() && equal_in_constant_time(candidate, settings_.token)) right = true;
  };
  each_header(request, "Authorization", [&](std::string_view value) {
    if (value.size() > bearer.size() && equal_ignoring_case(value.substr(0, bearer.size()), bearer))
      look(value.substr(bearer.size()));
  });
  each_header(request, "X-OCG-UI-Token", look);
  if (access == Access::socket || access == Access::socket_or_query) {
    for (const std::string_view offered : offered_subprotocols(request))
      if (offered.starts_with(token_subprotocol)) look(offered.substr(token_subprotocol.size()));
  }
  if (access == Access::socket_or_query) {
    if (const std::string* query = request.query.find("token")) look(*query);
  }
  if (!given && access != Access::socket_or_query && cookie_.brought_by(request)) return Verdict::fine;
  return right ? Verdict::fine : given ? Verdict::wrong_token : Verdict::no_token;
}

}  // namespace parlance::gateway

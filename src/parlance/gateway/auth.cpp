// SPDX-License-Identifier: Apache-2.0
#include "parlance/gateway/auth.h"

#include <algorithm>

#include "parlance/base/secret.h"
#include "parlance/base/sha256.h"
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

void Auth::answers_to(const std::string& listening) {
  if (listening != "0.0.0.0" && listening != "::") settings_.hosts.push_back(listening);
}

bool Auth::is_own_host(std::string_view name) const {
  if (is_loopback_name(name)) return true;
  for (const std::string& own : settings_.hosts)
    if (equal_ignoring_case(own, name)) return true;
  return false;
}

// Both schemes: a proxy in front of us may speak TLS, and the server of https://HOST belongs to the owner of HOST.
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

// A team stores only hashes: the hash of the presented token is compared with all hashes.
std::string hash_of(std::string_view secret) {
  Sha256 hash;
  const auto bytes = hash.add(secret).finish();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

hub::CallerPtr Auth::caller_of(std::string_view token) const {
  if (!settings_.token.empty() && equal_in_constant_time(token, settings_.token)) return hub::person_of_this_machine();
  return team_ == nullptr ? nullptr : team_->by_token(hash_of(token), now());
}

bool Auth::is_current(const hub::Caller& caller) const {
  return caller.token.empty() || (team_ != nullptr && team_->is_current(caller, now()));
}

Result<std::string> Auth::cookie_for(const ServerRequest& request) const {
  const Shown shown = check_token(request, Access::token);
  if (shown.verdict != Verdict::fine) return fail(Errc::denied, "no token was shown");
  if (shown.token.empty()) return PageCookie::given_again(request, PageCookie::shown_by(request).value_or(""));
  return PageCookie(shown.token).given_to(request);
}

Shown Auth::check_token(const ServerRequest& request, Access access) const {
  if (access == Access::open || access == Access::probe) return {.verdict = Verdict::fine};
  bool given = false;
  Shown shown;
  const auto look = [&](std::string_view candidate) {
    candidate = trim(candidate);
    if (candidate.empty()) return;
    given = true;
    hub::CallerPtr caller = caller_of(candidate);
    if (caller != nullptr && shown.caller == nullptr) shown = {.caller = std::move(caller), .token = std::string(candidate)};
  };
  each_header(request, "Authorization", [&](std::string_view value) {
    if (value.size() > bearer.size() && equal_ignoring_case(value.substr(0, bearer.size()), bearer))
      look(value.substr(bearer.size()));
  });
  each_header(request, "X-OCG-UI-Token", look);
  if (access != Access::token) {
    for (const std::string_view offered : offered_subprotocols(request))
      if (offered.starts_with(token_subprotocol)) look(offered.substr(token_subprotocol.size()));
  }
  if (access == Access::socket_or_query) {
    if (const std::string* query = request.query.find("token")) look(*query);
  }
  if (!given && (access == Access::token || access == Access::socket)) shown.caller = caller_of_cookie(request);
  if (shown.caller == nullptr) shown.verdict = given ? Verdict::wrong_token : Verdict::no_token;
  else if ((shown.caller->kind == hub::TokenKind::runner) == (access == Access::runner)) shown.verdict = Verdict::fine;
  else
    shown.verdict =
        access == Access::runner && shown.caller->token.empty() ? Verdict::fine : Verdict::wrong_kind;  // this machine's own
  return shown;
}

hub::CallerPtr Auth::caller_of_cookie(const ServerRequest& request) const {
  if (cookie_.is_valid_in(request)) return hub::person_of_this_machine();
  const auto value = team_ == nullptr ? std::nullopt : PageCookie::shown_by(request);
  return value ? team_->by_cookie(hash_of(*value), now()) : nullptr;
}

}  // namespace parlance::gateway

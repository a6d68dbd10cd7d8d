#include "gateway/auth.h"

#include <arpa/inet.h>

#include "base/secret.h"
#include "base/text.h"

namespace parlance::gateway {
namespace {

constexpr std::string_view bearer = "Bearer ";
constexpr std::string_view token_subprotocol = "token.";

bool host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

// "http://host" and "http://host:80" are one origin.
std::string_view without_default_port(std::string_view authority, std::string_view port) {
  return authority.ends_with(port) ? authority.substr(0, authority.size() - port.size()) : authority;
}

template <class F>
void each_header(const ServerRequest& request, std::string_view name, F visit) {
  for (const HttpHeader& header : request.headers)
    if (equal_ignoring_case(header.name, name)) visit(std::string_view(header.value));
}

}  // namespace

bool parse_authority(std::string_view text, Authority& out) {
  out = {};
  std::string_view rest = text;
  if (rest.starts_with('[')) {
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) return false;
    out.name = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    in6_addr ignored{};
    if (::inet_pton(AF_INET6, std::string(out.name).c_str(), &ignored) != 1) return false;
  } else {
    const std::size_t end = rest.find(':');
    out.name = rest.substr(0, end);
    rest.remove_prefix(out.name.size());
    if (out.name.empty()) return false;
    for (const char c : out.name)
      if (!host_character(c)) return false;
  }
  if (rest.empty()) return true;
  if (rest.front() != ':') return false;
  out.port = rest.substr(1);
  return parse_number<unsigned short>(out.port).has_value();
}

bool is_loopback_name(std::string_view name) {
  if (equal_ignoring_case(name, "localhost")) return true;
  in6_addr six{};
  if (::inet_pton(AF_INET6, std::string(name).c_str(), &six) == 1) return IN6_IS_ADDR_LOOPBACK(&six);
  in_addr four{};
  return ::inet_pton(AF_INET, std::string(name).c_str(), &four) == 1 && (ntohl(four.s_addr) >> 24) == 127;
}

Auth::Auth(AuthSettings settings) : settings_(std::move(settings)) {}

bool Auth::is_own_host(std::string_view name) const {
  if (is_loopback_name(name)) return true;
  for (const std::string& own : settings_.hosts)
    if (equal_ignoring_case(own, name)) return true;
  return false;
}

// Both schemes: a proxy in front of us may speak TLS, and whoever serves https://HOST is the one whom HOST belongs to.
bool Auth::is_own_origin(std::string_view origin, std::string_view host_header) const {
  for (const std::string& allowed : settings_.origins)
    if (origin == allowed) return true;
  for (const auto& [scheme, port] : {std::pair<std::string_view, std::string_view>{"http://", ":80"}, {"https://", ":443"}}) {
    if (origin.size() < scheme.size() || !equal_ignoring_case(origin.substr(0, scheme.size()), scheme)) continue;
    return equal_ignoring_case(without_default_port(origin.substr(scheme.size()), port), without_default_port(host_header, port));
  }
  return false;  // `null` among others: sandboxed frames and files of this machine
}

Verdict Auth::check_source(const ServerRequest& request) const {
  std::string_view host;
  int hosts = 0;
  each_header(request, "Host", [&](std::string_view value) {
    host = value;
    ++hosts;
  });
  Authority authority;
  if (hosts != 1 || !parse_authority(host, authority)) return Verdict::bad_host;
  if (!is_own_host(authority.name)) return Verdict::foreign_host;
  bool own = true;
  each_header(request, "Origin", [&](std::string_view origin) { own = own && is_own_origin(origin, host); });
  return own ? Verdict::fine : Verdict::foreign_origin;
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
  return right ? Verdict::fine : given ? Verdict::wrong_token : Verdict::no_token;
}

}  // namespace parlance::gateway

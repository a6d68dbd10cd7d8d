// SPDX-License-Identifier: Apache-2.0
#include "parlance/oauth/address.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cstdint>
#include <netinet/in.h>

#include "parlance/base/text.h"
#include "parlance/base/uri.h"
#include "parlance/base/visible_text.h"
#include "parlance/oauth/limits.h"
#include "parlance/transport/http/presentable.h"
#include "parlance/transport/http/public_address.h"

namespace parlance::oauth {
namespace {

bool is_url_character(char c) {
  constexpr std::string_view others = "-._~:/?[]@!$&'()*+,;=%";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || others.contains(c);
}
bool is_host_character(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_'; }

// Sets host of an authority in lower case.
bool split_authority(Address& address) {
  std::string_view rest = address.authority;
  if (rest.starts_with('[')) {
    const std::size_t end = rest.find(']');
    if (end == rest.npos) return false;
    address.host = rest.substr(1, end - 1);
    if (address.host.find_first_not_of("0123456789abcdef:.") != std::string::npos) return false;
    rest.remove_prefix(end + 1);
  } else {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    address.host = rest.substr(0, end);
    if (!std::ranges::all_of(address.host, is_host_character)) return false;
    rest.remove_prefix(end);
  }
  if (address.host.empty()) return false;
  if (rest.empty()) return true;
  const auto port = parse_number<std::uint16_t>(rest.substr(1));
  return rest.front() == ':' && port && *port != 0;
}

}  // namespace

bool Address::is_loopback() const { return parlance::is_loopback(host); }

Result<Address> parse_address(std::string_view url) {
  const auto wrong = [&](std::string_view reason) {
    return fail(Errc::invalid_params,
                "\"" + visible_line(presentable(url.substr(0, 200))) + "\" is no usable address: " + std::string(reason));
  };
  if (url.size() > limits::oauth_url_bytes) return wrong("it is too long");
  if (!std::ranges::all_of(url, is_url_character)) return wrong("it has a character outside of URLs, or a fragment");
  Address address;
  const std::size_t scheme = url.find("://");
  if (scheme == url.npos) return wrong("it needs http:// or https://");
  address.scheme = to_lower(url.substr(0, scheme));
  if (address.scheme != "http" && address.scheme != "https") return wrong("it needs http:// or https://");
  std::string_view rest = url.substr(scheme + 3);
  const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
  address.authority = to_lower(rest.substr(0, end));
  if (!split_authority(address)) return wrong("its host or port is malformed");
  rest.remove_prefix(end);
  const std::size_t query = std::min(rest.find('?'), rest.size());
  address.path = rest.substr(0, query);
  if (query < rest.size()) address.query = rest.substr(query + 1);
  return address;
}

Result<void> check_protected(const Address& server) {
  if (server.scheme == "https" || server.is_loopback()) return {};
  return fail(Errc::denied, server.origin() + " uses http: a login would send tokens unprotected. Use an https address");
}

namespace {

// A number of a private network or of this machine, and each other form of a number, such as 0x7f.1: programs read these in several
// ways. Names of companies may lead to private networks, and stay permitted.
bool is_private_number(std::string host) {
  if (host.ends_with('.')) host.pop_back();
  sockaddr_in four{.sin_family = AF_INET};
  if (::inet_pton(AF_INET, host.c_str(), &four.sin_addr) == 1) return !is_public(reinterpret_cast<const sockaddr&>(four));
  sockaddr_in6 six{.sin6_family = AF_INET6};
  if (::inet_pton(AF_INET6, host.c_str(), &six.sin6_addr) == 1) return !is_public(reinterpret_cast<const sockaddr&>(six));
  const std::string last = host.substr(host.rfind('.') + 1);
  return last.starts_with("0x") || last.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

Result<Address> check_named(const Address& server, std::string_view url) {
  PARLANCE_TRY(named, parse_address(url));
  if (named.is_loopback() && !server.is_loopback())
    return fail(Errc::denied, named.origin() + " is on this machine, but the server " + server.origin() +
                                  " is not: its metadata may only name addresses of the internet");
  if (is_private_number(named.host) && !server.is_loopback() && !is_private_number(server.host))
    return fail(Errc::denied, named.origin() + " is an address of a private network, but the server " + server.origin() +
                                  " is not: its metadata may only name addresses of the internet");
  PARLANCE_TRY_DO(check_protected(named));
  return named;
}

}  // namespace parlance::oauth

// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/http_source.h"

#include <algorithm>
#include <arpa/inet.h>
#include <string>
#include <utility>

#include "parlance/base/text.h"

namespace parlance {
namespace {

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

bool is_token_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").contains(c);
}

bool is_six(std::string_view text, in6_addr& six) { return ::inet_pton(AF_INET6, std::string(text).c_str(), &six) == 1; }

// Moves the host name from the start of `rest` to `name`. False: no valid name.
bool take_name(std::string_view& rest, std::string_view& name) {
  if (rest.starts_with('[')) {
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) return false;
    name = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    in6_addr ignored{};
    return name.find('\0') == std::string_view::npos && is_six(name, ignored);
  }
  name = rest.substr(0, rest.find(':'));
  rest.remove_prefix(name.size());
  return !name.empty() && std::ranges::all_of(name, is_host_character);
}

bool is_port(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }) && parse_number<unsigned short>(text).has_value();
}

}  // namespace

std::optional<Authority> parse_authority(std::string_view text) {
  Authority found;
  if (!take_name(text, found.name)) return std::nullopt;
  if (text.empty()) return found;
  if (text.front() != ':' || !is_port(text.substr(1))) return std::nullopt;
  found.port = text.substr(1);
  return found;
}

bool WebOrigin::secure() const { return scheme.size() == 5; }

std::optional<WebOrigin> parse_origin(std::string_view text) {
  const std::size_t end = text.find("://");
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view scheme = text.substr(0, end);
  if (!equal_ignoring_case(scheme, "http") && !equal_ignoring_case(scheme, "https")) return std::nullopt;
  const auto at = parse_authority(text.substr(end + 3));
  if (!at) return std::nullopt;
  return WebOrigin{.scheme = scheme, .at = *at};
}

bool same_server(const WebOrigin& origin, const Authority& host) {
  const std::string_view usual = origin.secure() ? "443" : "80";
  const auto port = [&](std::string_view named) { return named.empty() ? usual : named; };
  return equal_ignoring_case(origin.at.name, host.name) && port(origin.at.port) == port(host.port);
}

std::optional<std::string_view> only_header(const ServerRequest& request, std::string_view name) {
  std::optional<std::string_view> found;
  for (const HttpHeader& header : request.headers)
    if (equal_ignoring_case(header.name, name) && std::exchange(found, header.value)) return std::nullopt;
  return found;
}

bool has_header(const ServerRequest& request, std::string_view name) { return request.header(name) != nullptr; }

bool is_loopback_name(std::string_view name) {
  if (equal_ignoring_case(name, "localhost")) return true;
  in6_addr six{};
  if (is_six(name, six)) return IN6_IS_ADDR_LOOPBACK(&six);
  in_addr four{};
  return ::inet_pton(AF_INET, std::string(name).c_str(), &four) == 1 && (ntohl(four.s_addr) >> 24) == 127;
}

bool is_media_type(std::string_view content_type, std::string_view wanted) {
  const std::size_t end = content_type.find(';');
  if (!equal_ignoring_case(trim(content_type.substr(0, end)), wanted)) return false;
  // Each parameter is NAME=VALUE. The characters between quotes are not checked.
  if (end == std::string_view::npos) return true;
  for (const std::string_view part : split(content_type.substr(end + 1), ';')) {
    const std::string_view parameter = trim(part);
    if (parameter.empty()) continue;
    const std::size_t equals = parameter.find('=');
    if (equals == std::string_view::npos || equals == 0 || !std::ranges::all_of(parameter.substr(0, equals), is_token_character))
      return false;
  }
  return true;
}

}  // namespace parlance

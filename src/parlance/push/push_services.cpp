// SPDX-License-Identifier: Apache-2.0
#include "parlance/push/push_services.h"

#include <algorithm>
#include <optional>

#include "parlance/base/text.h"

namespace parlance::push {
namespace {

constexpr std::size_t longest_url = 2048;  // those of the known services have some hundred characters
constexpr std::string_view https = "https://";
constexpr std::string_view http = "http://";

bool is_host(std::string_view text) {
  return !text.empty() && text.size() <= 253 && text.find("..") == std::string_view::npos && !text.starts_with('.') &&
         std::ranges::all_of(text,
                             [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.'; });
}

// Numbers are no names: whatever is on the list by name is not reached by an address.
bool is_name(std::string_view text) {
  const std::string_view last = text.substr(text.rfind('.') + 1);
  return is_host(text) && std::ranges::any_of(last, [](char c) { return c >= 'a' && c <= 'z'; });
}

bool is_port(std::string_view text) {
  const auto port = parse_number<unsigned short>(text);
  return port && *port != 0 && !text.starts_with('0');
}

struct Origin {
  std::string_view scheme{};
  std::string_view host{};
  std::string_view port{};  // empty: the scheme's own
};

// Nothing that could be read in two ways: no user, no brackets, no escapes, no capitals.
std::optional<Origin> origin_in(std::string_view text) {
  Origin origin{.scheme = text.starts_with(https) ? https : text.starts_with(http) ? http : std::string_view()};
  if (origin.scheme.empty()) return std::nullopt;
  text.remove_prefix(origin.scheme.size());
  const std::size_t colon = text.find(':');
  origin.host = text.substr(0, colon);
  if (colon != std::string_view::npos) origin.port = text.substr(colon + 1);
  if (!is_host(origin.host) || (colon != std::string_view::npos && !is_port(origin.port))) return std::nullopt;
  return origin;
}

bool fits(std::string_view pattern, std::string_view host) {
  if (!pattern.starts_with("*.")) return pattern == host;
  return host.size() > pattern.size() - 1 && host.ends_with(pattern.substr(1));
}

}  // namespace

Result<PushServices> PushServices::parse(std::string_view list) {
  PushServices services;
  for (std::string_view entry : split(list, ' ')) {
    entry = trim(entry);
    if (entry.empty()) continue;
    const std::string_view name = entry.starts_with("*.") ? entry.substr(2) : entry;
    if (origin_in(entry)) services.origins_.emplace_back(entry);
    else if (is_name(name) && name.find('.') != std::string_view::npos) services.hosts_.emplace_back(entry);
    else
      return fail(Errc::invalid_params,
                  "\"" + std::string(entry) +
                      "\" is no push service: give hosts such as fcm.googleapis.com or *.push.apple.com, or "
                      "an origin such as https://push.example:8443, separated by blanks");
  }
  return services;
}

Result<Endpoint> PushServices::check(std::string_view url) const {
  const bool plain = std::ranges::all_of(url, [](char c) { return c > ' ' && c < '\x7f' && c != '\\' && c != '#'; });
  const std::size_t scheme = url.find("://");
  const std::size_t slash = scheme == std::string_view::npos ? scheme : url.find('/', scheme + 3);
  const auto origin = slash == std::string_view::npos ? std::nullopt : origin_in(url.substr(0, slash));
  if (!plain || url.size() > longest_url || !origin) return fail(Errc::invalid_params, "this is no address of a push service");
  Endpoint endpoint{.url = std::string(url), .origin = std::string(url.substr(0, slash)), .host = std::string(origin->host)};
  endpoint.named = std::ranges::find(origins_, endpoint.origin) != origins_.end();
  if (endpoint.named) return endpoint;
  const bool known = origin->scheme == https && origin->port.empty() && is_name(origin->host) &&
                     std::ranges::any_of(hosts_, [&](const std::string& host) { return fits(host, origin->host); });
  if (known) return endpoint;
  return fail(Errc::denied,
              endpoint.origin + " is not on the list of push services; if it is to be trusted, add it to push-services");
}

}  // namespace parlance::push

// SPDX-License-Identifier: Apache-2.0
#include "parlance/oauth/discovery.h"

#include <algorithm>

#include "parlance/base/text.h"
#include "parlance/base/visible_text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/oauth/limits.h"

namespace parlance::oauth {
namespace {

std::string_view without_slash(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

std::string shown(std::string_view text) { return "\"" + visible_line(text.substr(0, 200)) + "\""; }

// A scope of RFC 6749, section 3.3. Other characters would change the request or the person's terminal.
bool is_scope(std::string_view scope) {
  return !scope.empty() && std::ranges::all_of(scope, [](char c) { return c >= 0x21 && c <= 0x7e && c != '"' && c != '\\'; });
}

void add_scopes(std::vector<std::string>& scopes, std::string_view names) {
  for (const std::string_view name : split(names, ' '))
    if (is_scope(name) && scopes.size() < limits::oauth_scopes && std::ranges::find(scopes, name) == scopes.end())
      scopes.emplace_back(name);
}

// Equal as text. Only an empty path and "/" are the same: both are the same place of the document.
bool is_same_issuer(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto bare = [](std::string_view issuer) {
    const std::size_t host = issuer.find("://");
    return host != issuer.npos && issuer.find('/', host + 3) == issuer.size() - 1 ? issuer.substr(0, issuer.size() - 1) : issuer;
  };
  return bare(a) == bare(b);
}

Result<void> check_endpoint(const Address& server, std::string_view name, std::string_view url) {
  auto named = check_named(server, url);
  if (!named) return std::unexpected(std::move(named).error().in(name));
  return {};
}

}  // namespace

std::vector<std::string> resource_metadata_places(const Address& server, const Challenge& challenge) {
  if (const std::string_view named = challenge.parameter("resource_metadata"); !named.empty()) return {std::string(named)};
  const std::string root = server.origin() + "/.well-known/oauth-protected-resource";
  const std::string_view path = without_slash(server.path);
  if (path.empty()) return {root};
  return {root + std::string(path), root};
}

Result<ResourceMetadata> read_resource_metadata(const Address& server, std::string_view json) {
  PARLANCE_TRY(read, json::from_text<ResourceMetadata>(json));
  PARLANCE_TRY(resource, parse_address(read.resource));
  const std::string_view path = without_slash(resource.path);
  const bool is_above = server.path == path || path.empty() || server.path.starts_with(std::string(path) + "/");
  if (resource.origin() != server.origin() || !is_above)
    return fail(Errc::denied, "the metadata is for " + shown(read.resource) + ", not for " + server.origin() + server.path);
  return read;
}

std::vector<std::string> server_metadata_places(const Address& issuer) {
  const std::string path(without_slash(issuer.path));
  const std::string origin = issuer.origin();
  std::vector<std::string> places{origin + "/.well-known/oauth-authorization-server" + path,
                                  origin + "/.well-known/openid-configuration" + path};
  if (!path.empty()) places.push_back(origin + path + "/.well-known/openid-configuration");
  return places;
}

Result<ServerMetadata> read_server_metadata(const Address& server, std::string_view issuer, std::string_view json) {
  PARLANCE_TRY(read, json::from_text<ServerMetadata>(json));
  if (!is_same_issuer(read.issuer, issuer))
    return fail(Errc::denied, "the metadata is of the issuer " + shown(read.issuer) + ", not of " + shown(issuer));
  PARLANCE_TRY_DO(check_endpoint(server, "token_endpoint", read.token_endpoint));
  if (!read.authorization_endpoint.empty())
    PARLANCE_TRY_DO(check_endpoint(server, "authorization_endpoint", read.authorization_endpoint));
  if (read.registration_endpoint) PARLANCE_TRY_DO(check_endpoint(server, "registration_endpoint", *read.registration_endpoint));
  const Texts methods = read.code_challenge_methods_supported.value_or(Texts{});
  if (std::ranges::find(methods, "S256") == methods.end())
    return fail(Errc::denied, "the authorization server " + shown(issuer) + " does not offer PKCE with S256, which MCP requires");
  return read;
}

ServerMetadata fallback_metadata(const Address& server) {
  ServerMetadata made;
  made.issuer = server.origin();
  made.authorization_endpoint = server.origin() + "/authorize";
  made.token_endpoint = server.origin() + "/token";
  made.registration_endpoint = server.origin() + "/register";
  made.token_endpoint_auth_methods_supported = Texts{"none"};
  return made;
}

std::string wanted_scope(const Challenge& challenge, const ResourceMetadata& resource, const ServerMetadata& server,
                         std::string_view had) {
  std::vector<std::string> scopes;
  add_scopes(scopes, had);
  if (const std::string_view demanded = challenge.parameter("scope"); !demanded.empty()) add_scopes(scopes, demanded);
  else
    for (const std::string& scope : resource.scopes_supported.value_or(Texts{})) add_scopes(scopes, scope);
  const Texts offered = server.scopes_supported.value_or(Texts{});
  if (std::ranges::find(offered, "offline_access") != offered.end()) add_scopes(scopes, "offline_access");
  std::string all;
  for (const std::string& scope : scopes) all += (all.empty() ? "" : " ") + scope;
  return all;
}

bool has_scopes(std::string_view all, std::string_view some) {
  const std::vector<std::string_view> known = split(all, ' ');
  return std::ranges::all_of(
      split(some, ' '), [&](std::string_view scope) { return scope.empty() || std::ranges::find(known, scope) != known.end(); });
}

}  // namespace parlance::oauth

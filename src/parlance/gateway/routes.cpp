// SPDX-License-Identifier: Apache-2.0
#include "parlance/gateway/routes.h"

namespace parlance::gateway {
namespace {

bool is_folder(const Route& route) { return route.path.ends_with("/*"); }

bool path_fits(const Route& route, std::string_view path) {
  if (!is_folder(route)) return path == route.path;
  const std::string_view folder = std::string_view(route.path).substr(0, route.path.size() - 1);
  return path.starts_with(folder) && path.size() > folder.size();
}

bool method_fits(const Route& route, std::string_view method) {
  return route.method == "*" || route.method == method || (route.method == "GET" && method == "HEAD" && !route.is_socket);
}

void add_method(std::string& list, std::string_view method) {
  if (!list.empty()) list += ", ";
  list += method;
}

}  // namespace

// The route owns the handler and outlives its runs.
void Routes::on(const Address& address, HttpHandler handler) {
  on(address, [handler = std::move(handler)](HttpExchange& exchange, const hub::CallerPtr&) { return handler(exchange); });
}

void Routes::on(const Address& address, CallerHandler handler) {
  routes_.push_back({.method = std::string(address.method),
                     .path = std::string(address.path),
                     .access = address.access,
                     .permission = address.permission,
                     .handler = std::move(handler),
                     .is_socket = address.is_socket});
}

Routes::Match Routes::find(std::string_view method, std::string_view path) const {
  Match match;
  for (const bool folders : {false, true}) {
    for (const Route& route : routes_) {
      if (is_folder(route) != folders || !path_fits(route, path)) continue;
      if (method_fits(route, method)) {
        match.route = &route;
        return match;
      }
      add_method(match.allow, route.method);
      if (route.method == "GET" && !route.is_socket) add_method(match.allow, "HEAD");
    }
    if (!match.allow.empty()) break;
  }
  if (!match.allow.empty()) add_method(match.allow, "OPTIONS");
  return match;
}

}  // namespace parlance::gateway

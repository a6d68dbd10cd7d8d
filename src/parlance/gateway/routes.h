// SPDX-License-Identifier: Apache-2.0
// The gateway's table of routes: method, path, permission, and handler. Filled at the start from one place, then read only. Loop
// thread only.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/gateway/auth.h"
#include "parlance/hub/team/rights.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::gateway {

// Receives the caller; null for an open route.
using CallerHandler = std::function<Task<void>(HttpExchange& exchange, hub::CallerPtr caller)>;

// The requirements of an address: the place of the token, and the user's permission. None has a default.
struct Address {
  std::string_view method;  // "*": any
  std::string_view path;    // "/health"; "/assets/*" is everything below this folder
  Access access;
  hub::Permission permission;
  bool is_socket = false;  // answers WebSocket handshakes only
};

// An address with its handler, as `Routes::on` stores it.
struct Route {
  std::string method;
  std::string path;
  Access access;
  hub::Permission permission;
  CallerHandler handler;
  bool is_socket = false;
};

// Never defined: a use stops the compiler.
void this_address_needs_one_row_in_its_table();

// The row of an address in a table: a route without a row does not compile.
template <std::size_t n>
consteval Address address_in(const std::array<Address, n>& table, std::string_view method, std::string_view path) {
  const Address* found = nullptr;
  int rows = 0;
  for (const Address& address : table) {
    if (address.method != method || address.path != path) continue;
    found = &address;
    ++rows;
  }
  if (rows != 1) this_address_needs_one_row_in_its_table();
  return *found;
}

class Routes {
 public:
  // Adds a route. Of two routes for the same address, the first one counts.
  void on(const Address& address, CallerHandler handler);
  void on(const Address& address, HttpHandler handler);  // for handlers without a caller

  struct Match {
    const Route* route = nullptr;  // exact paths before folders
    std::string allow{};           // "GET, HEAD, OPTIONS": the methods of the path, for another method
  };
  // HEAD is answered by the handler of GET: the server leaves the body out.
  Match find(std::string_view method, std::string_view path) const;

 private:
  std::vector<Route> routes_;
};

}  // namespace parlance::gateway

// The table of what the gateway answers: method, path, who may, and the handler. Filled at start-up from one place, then only read.
// Loop thread only.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/gateway/auth.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::gateway {

// Whoever asks is told; null where the route is open.
using CallerHandler = std::function<Task<void>(HttpExchange& exchange, hub::CallerPtr caller)>;

struct Route {
  std::string method;  // "*": any
  std::string path;    // "/health"; "/assets/*" is everything below that folder
  Access access = Access::token;
  CallerHandler handler;
  bool is_socket = false;  // answers WebSocket handshakes only
};

class Routes {
 public:
  void on(std::string method, std::string path, Access access, CallerHandler handler);
  void on_socket(std::string path, Access access, CallerHandler handler);
  // The same for those who care for nobody's name.
  void on(std::string method, std::string path, Access access, HttpHandler handler);
  void on_socket(std::string path, Access access, HttpHandler handler);

  struct Match {
    const Route* route = nullptr;  // exact paths before folders
    std::string allow{};           // "GET, HEAD, OPTIONS": what the path knows, when the method is not among it
  };
  // HEAD is answered by the handler of GET: the server leaves the body out.
  Match find(std::string_view method, std::string_view path) const;

 private:
  std::vector<Route> routes_;
};

}  // namespace parlance::gateway

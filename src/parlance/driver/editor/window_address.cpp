// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/editor/window_address.h"

#include <cstdlib>
#include <utility>

#include "parlance/base/uri.h"

namespace parlance::driver {
namespace {

std::string from_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::unexpected<Error> no_address(Errc code, const std::string& socket, const std::string& why) {
  return fail(code, "PARLANCE_EDITOR_SOCKET=" + socket + ": " + why +
                        "; an editor's window sets it for its terminals to unix:/path or tcp:127.0.0.1:PORT");
}

}  // namespace

Result<WindowAddress> window_address(std::string socket, std::string token) {
  if (socket.starts_with("unix:/")) return WindowAddress{.socket = std::move(socket), .token = std::move(token)};
  constexpr std::string_view tcp = "tcp:";
  const auto target = socket.starts_with(tcp) ? parse_host_port(std::string_view(socket).substr(tcp.size())) : std::nullopt;
  if (!target) return no_address(Errc::invalid_params, socket, "this is no address");
  if (!is_loopback(target->host)) return no_address(Errc::denied, socket, "only a window of this machine is asked");
  if (token.empty()) return no_address(Errc::invalid_params, socket, "over TCP PARLANCE_EDITOR_TOKEN has to be set as well");
  return WindowAddress{.socket = std::move(socket), .token = std::move(token)};
}

Result<std::optional<WindowAddress>> announced_window() {
  std::string socket = from_environment("PARLANCE_EDITOR_SOCKET");
  if (socket.empty()) return std::nullopt;
  PARLANCE_TRY(address, window_address(std::move(socket), from_environment("PARLANCE_EDITOR_TOKEN")));
  return address;
}

}  // namespace parlance::driver

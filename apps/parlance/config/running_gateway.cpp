// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/running_gateway.h"

#include "parlance/base/log.h"
#include "parlance/base/text.h"

namespace parlance::app {
namespace {

constexpr std::size_t port_file_bytes = 64;

std::string lock_of(const std::string& state_folder) { return state_folder + "/gateway.lock"; }
std::string port_of(const std::string& state_folder) { return state_folder + "/gateway.port"; }

}  // namespace

std::optional<RunningGateway> RunningGateway::announce(const std::string& state_folder, std::string_view host, int port) {
  if (host != "127.0.0.1" && host != "0.0.0.0") return std::nullopt;
  auto lock = FileLock::try_take(lock_of(state_folder));
  if (!lock || !*lock) return std::nullopt;
  if (const auto written = write_private_file(port_of(state_folder), std::to_string(port)); !written) {
    log(LogLevel::warn, "other programs cannot find this gateway", {{"error", written.error().message}});
    return std::nullopt;
  }
  return RunningGateway(**std::move(lock));
}

std::string RunningGateway::find(const std::string& state_folder) {
  const auto port = read_private_file(port_of(state_folder), port_file_bytes);
  if (!port || !*port) return "";
  const auto number = parse_number<unsigned short>(trim(**port));
  const auto lock = FileLock::try_take(lock_of(state_folder));
  if (!number || *number == 0 || !lock || *lock) return "";  // a free lock: the gateway has ended
  return "ws://127.0.0.1:" + std::to_string(*number);
}

}  // namespace parlance::app

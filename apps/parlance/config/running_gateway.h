// SPDX-License-Identifier: Apache-2.0
// The running gateway of a state folder. Other programs of the user find its address there. The lock proves that the gateway
// lives, so a token never goes to a program that took over the port of a dead gateway. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "parlance/transport/private_file.h"

namespace parlance::app {

class RunningGateway {
 public:
  // Writes `port` into the folder, and holds the lock to the end of the object. No value: another gateway holds the lock, the
  // folder cannot be written, or the gateway does not listen on 127.0.0.1, where the port may be another program's. Programs do not
  // find this gateway then.
  static std::optional<RunningGateway> announce(const std::string& state_folder, std::string_view host, int port);
  // ws://127.0.0.1:PORT of a live gateway; empty: none. Creates no folder.
  static std::string find(const std::string& state_folder);

 private:
  explicit RunningGateway(FileLock lock) : lock_(std::move(lock)) {}
  FileLock lock_;
};

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
// The address of a PostgreSQL server: postgresql://user@host1,host2/database?sslmode=verify-full, in libpq's form. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/base/result.h"

namespace parlance::pg {

// Whether a text means a PostgreSQL at all.
bool is_address(std::string_view text);

// Whether libpq accepts the address. Loads libpq. The message contains no password.
Result<void> check_address(const std::string& address);

// One of the address's servers, with its parameters for libpq.
struct Server {
  std::string name{};  // for people
  std::vector<std::pair<std::string, std::string>> parameters{};
};
// In the order of the address, or a single server if the environment decides. None: libpq rejects the address. Loads libpq.
std::vector<Server> servers_of(const std::string& address);

// For people, logs and `parlance config`: without passwords in any position.
std::string without_password(std::string_view address);

}  // namespace parlance::pg

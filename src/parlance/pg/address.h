// SPDX-License-Identifier: Apache-2.0
// Where a PostgreSQL is: postgresql://user@host1,host2/database?sslmode=verify-full, as libpq reads it. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/base/result.h"

namespace parlance::pg {

// Whether a text means a PostgreSQL at all.
bool is_address(std::string_view text);

// Whether libpq understands it. Loads libpq. The message holds no password.
Result<void> check_address(const std::string& address);

// One of the servers that an address names, with all that libpq is to know of it: parameters and their values.
struct Server {
  std::string name{};  // for people
  std::vector<std::pair<std::string, std::string>> parameters{};
};
// In the order of the address, or one, where it leaves that to the environment. None: libpq does not understand it. Loads libpq.
std::vector<Server> servers_of(const std::string& address);

// For people, logs and `parlance config`: without passwords, wherever they stand.
std::string without_password(std::string_view address);

}  // namespace parlance::pg

// Where a PostgreSQL is: postgresql://user@host1,host2/database?sslmode=verify-full, as libpq reads it. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/result.h"

namespace parlance::pg {

// Whether a text means a PostgreSQL at all.
bool is_address(std::string_view text);

// Whether libpq understands it. Loads libpq. The message holds no password.
Result<void> check_address(const std::string& address);

// For people, logs and `parlance config`: without passwords, wherever they stand.
std::string without_password(std::string_view address);

}  // namespace parlance::pg

// SPDX-License-Identifier: Apache-2.0
// The requests permitted to a page for a helper with one database. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/result.h"

namespace parlance::server {

// Fails for a forbidden message: not a JSON object on a line, with another database, or with a command outside the viewer's (such
// as copying the database to another file). The helper's own limits apply in any case.
Result<void> check_database_request(std::string_view message, std::string_view path);

// The answer in the helper's place, with the id of the message if readable.
std::string refused_request(std::string_view message, const Error& why);

}  // namespace parlance::server

// SPDX-License-Identifier: Apache-2.0
// What a page may ask a helper that was started for one database. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/result.h"

namespace parlance::server {

// Fails for a message that is not to be passed on: it is not one JSON object on one line, names another database, or a command that is
// none of a viewer's (such as copying the database to another file). What the helper was started with bounds it all the same.
Result<void> check_database_request(std::string_view message, std::string_view path);

// The helper's answer in its place, with the id of the message where that can be read.
std::string refused_request(std::string_view message, const Error& why);

}  // namespace parlance::server

// SPDX-License-Identifier: Apache-2.0
// Databases of this machine for a person: the list of offered databases, and the check of a named database. Both wait for disks.
// Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"

namespace parlance::server {

struct OfferedDatabase {
  std::string path{};
  std::uint64_t bytes = 0;
  bool named = false;  // by the settings; otherwise found in a folder
};

// The existing databases of `named`, then databases in `folders` or slightly below (limits.h), each once.
std::vector<OfferedDatabase> offered_databases(const std::vector<std::string>& named, const std::vector<std::string>& folders);

// A caller's rights for databases in parlance's own state folder. These are never written.
enum class OwnFolder : std::uint8_t { closed, read };

// The path of a named database without symlinks. `own_folder`: rights for parlance's state folder. Errors with remedies:
// invalid_params (not absolute), not_found, denied (not a file, not readable, not writable), failed (not a database).
Result<std::string> judged_database(std::string_view asked, bool to_write, OwnFolder own, std::string_view own_folder);

}  // namespace parlance::server

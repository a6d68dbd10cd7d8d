// SPDX-License-Identifier: Apache-2.0
// Databases of this machine that a person may want to look at: which there are, and whether one that was named is one. Both wait for
// disks. Any thread.
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
  bool named = false;  // by the settings; otherwise it lies in a folder
};

// Those of `named` that are there, then those that lie in `folders` or not far below (limits.h), each once.
std::vector<OfferedDatabase> offered_databases(const std::vector<std::string>& named, const std::vector<std::string>& folders);

// What a caller may do with databases in parlance's own state folder. They are never written.
enum class OwnFolder : std::uint8_t { closed, read };

// The path without symlinks of what a person named. `own_folder`: parlance's state folder. Errors, with what to
// do: invalid_params (no whole path), not_found, denied (no file, not readable, not to be written), failed (no database).
Result<std::string> judged_database(std::string_view asked, bool to_write, OwnFolder own, std::string_view own_folder);

}  // namespace parlance::server

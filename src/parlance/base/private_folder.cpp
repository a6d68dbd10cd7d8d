// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/private_folder.h"

#include <cerrno>
#include <filesystem>
#include <sys/stat.h>

namespace parlance {

Result<void> make_private_folders(const std::string& path) {
  std::error_code ignored;
  std::filesystem::path made;
  for (const std::filesystem::path& name : std::filesystem::path(path)) {
    made /= name;
    if (std::filesystem::is_directory(made, ignored) || ::mkdir(made.c_str(), 0700) == 0) continue;
    // Another process may have made the folder meanwhile.
    if (const int error = errno; !std::filesystem::is_directory(made, ignored))
      return fail(system_error("make the folder " + made.string(), error));
  }
  return {};
}

}  // namespace parlance

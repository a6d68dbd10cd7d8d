// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/working_folder.h"

#include <filesystem>

namespace parlance::app {

std::string working_folder(const Settings& settings) {
  std::error_code error;
  const auto folder = settings.text("folder").empty() ? std::filesystem::current_path(error)
                                                      : std::filesystem::absolute(settings.text("folder"), error);
  // folder_check.h resolves the folders that a person names in the same way.
  const auto real = error ? folder : std::filesystem::canonical(folder, error);
  return error ? home_folder() : real.string();
}

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
#include "parlance/workspace/offered_folders.h"

#include <algorithm>
#include <filesystem>

namespace parlance::workspace {
namespace {

namespace fs = std::filesystem;

bool lies_in(const std::string& path, const std::string& folder) { return path == folder || path.starts_with(folder + "/"); }

Result<std::string> look(const std::vector<std::string>& folders, const std::string& folder) {
  std::error_code error;
  const std::string path = fs::canonical(folder, error).string();
  // Paths outside the offered folders are refused without a look at the disk, so that their existence stays hidden.
  const std::string place = error ? fs::weakly_canonical(folder, error).string() : path;
  if (std::ranges::none_of(folders, [&](const std::string& offered) { return lies_in(place, offered); })) {
    std::string names;
    for (const std::string& offered : folders) names += (names.empty() ? "" : ", ") + offered;
    return fail(Errc::denied, folder + " is not offered by this runner: it offers " + names + " and what is below");
  }
  if (path.empty() || !fs::is_directory(path, error)) return fail(Errc::not_found, folder + " is no folder on this machine");
  return path;
}

}  // namespace

Result<std::vector<std::string>> OfferedFolders::real(const std::vector<std::string>& named) {
  std::vector<std::string> all;
  for (const std::string& folder : named) {
    std::error_code error;
    const std::string path = fs::canonical(folder, error).string();
    if (error || !fs::is_directory(path, error))
      return fail(Errc::invalid_params, "--folder: " + folder + " is no folder; name one that is there");
    if (path == "/") return fail(Errc::invalid_params, "--folder: / is all there is; name the folders of your projects");
    if (std::ranges::find(all, path) == all.end()) all.push_back(path);
  }
  return all;
}

Task<Result<std::string>> OfferedFolders::find(std::string folder) {
  co_return co_await worker_.run([folders = folders_, folder = std::move(folder)] { return look(folders, folder); });
}

}  // namespace parlance::workspace

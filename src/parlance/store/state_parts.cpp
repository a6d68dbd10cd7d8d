// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/state_parts.h"

#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace parlance::store {
namespace {

namespace fs = std::filesystem;

std::string mark_of(const std::string& folder, std::string_view file) { return folder + "/." + std::string(file) + ".made"; }

// 0 for a missing file too.
std::uintmax_t size_of(const std::string& path) {
  std::error_code missing;
  const std::uintmax_t size = fs::file_size(path, missing);
  return missing ? 0 : size;
}

}  // namespace

Result<void> check_part(const std::string& folder, std::string_view file) {
  const std::string path = folder + "/" + std::string(file);
  if (size_of(path) > 0) return {};
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return {};  // the later open reports the error
  const std::string what = path + (fs::exists(path, ignored) ? " is empty" : " is gone");
  if (const std::string log = path + "-wal"; size_of(log) > 0)
    return fail(Errc::failed, what + ", but " + log + " still has what was written to it last: put " + std::string(file) +
                                  " back beside it, or, to begin with nothing, move both out of the folder");
  if (const std::string mark = mark_of(folder, file); fs::exists(mark, ignored))
    return fail(Errc::failed, what + ", and there was one: put it back from a copy, or, to begin with nothing, remove " + mark);
  return {};
}

void note_part(const std::string& folder, std::string_view file) {
  const int fd = ::open(mark_of(folder, file).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd >= 0) ::close(fd);
}

}  // namespace parlance::store

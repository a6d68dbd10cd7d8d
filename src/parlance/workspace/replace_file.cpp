// SPDX-License-Identifier: Apache-2.0
#include "parlance/workspace/replace_file.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "parlance/base/secret.h"
#include "parlance/workspace/fd.h"

namespace parlance::workspace {
namespace {

// Removes the temporary file, unless it has replaced the target.
struct Leftover {
  int folder;
  std::string name;
  bool kept = false;
  ~Leftover() {
    if (!kept) ::unlinkat(folder, name.c_str(), 0);
  }
};

Result<void> write_all(int fd, std::string_view text, const std::string& shown) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(system_error("write " + shown, errno));
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

}  // namespace

Result<void> replace_file(const PathGuard::Parent& place, std::string_view text, const std::string& shown) {
  const int folder = place.folder.get();
  // Keeps the mode of the replaced file. Only a regular file is replaced: an attacker may have put a link in its place.
  struct stat about{};
  const bool replaces = ::fstatat(folder, place.name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0;
  if (replaces && !S_ISREG(about.st_mode)) return fail(Errc::denied, "Access denied: " + shown);

  Leftover temporary{.folder = folder, .name = make_id(".parlance-")};
  Fd file(::openat(folder, temporary.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, replaces ? 0600 : 0666));
  if (!file) {
    temporary.kept = true;
    return fail(system_error("write " + shown, errno));
  }
  PARLANCE_TRY_DO(write_all(file.get(), text, shown));
  if (replaces && ::fchmod(file.get(), about.st_mode & 07777) != 0) return fail(system_error("set the mode of " + shown, errno));
  if (::fsync(file.get()) != 0) return fail(system_error("write " + shown, errno));
  // A new file must not replace a file that has appeared meanwhile.
  const auto rename_flags = replaces ? 0U : static_cast<unsigned>(RENAME_NOREPLACE);
  long renamed = ::syscall(SYS_renameat2, folder, temporary.name.c_str(), folder, place.name.c_str(), rename_flags);
  if (renamed != 0 && errno == EINVAL) renamed = ::renameat(folder, temporary.name.c_str(), folder, place.name.c_str());
  if (renamed != 0) {
    if (errno == EEXIST) return fail(Errc::failed, "a file has appeared there meanwhile: " + shown + ": look at it first");
    return fail(system_error("write " + shown, errno));
  }
  temporary.kept = true;
  (void)::fsync(folder);
  return {};
}

}  // namespace parlance::workspace

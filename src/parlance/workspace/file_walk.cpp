// SPDX-License-Identifier: Apache-2.0
#include "parlance/workspace/file_walk.h"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <utility>
#include <vector>

#include "parlance/base/error.h"
#include "parlance/base/utf8.h"
#include "parlance/workspace/fd.h"

namespace parlance::workspace {
namespace {

constexpr int deepest = 64;  // folders: deeper trees are loops of mounts, or an attack on descriptors

using Visit = std::function<Walk(const WalkEntry&)>;

// A folder that could not be opened counts as unread. Returns false after Walk::end.
bool walk(Fd folder, const std::string& prefix, int depth, const Visit& visit, Unread& unread) {
  const std::unique_ptr<DIR, decltype([](DIR* d) { ::closedir(d); })> reader(folder ? ::fdopendir(folder.get()) : nullptr);
  if (!reader) {
    unread.add(prefix.empty() ? "." : prefix, errno);
    return true;
  }
  static_cast<void>(folder.release());
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(reader.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  if (errno != 0) unread.add(prefix.empty() ? "." : prefix, errno);
  std::ranges::sort(names);
  const int here = ::dirfd(reader.get());
  for (const std::string& name : names) {
    struct stat about{};
    if (::fstatat(here, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0) {
      unread.add(prefix + name, errno);
      continue;
    }
    const WalkEntry entry{.path = prefix + name,
                          .name = name,
                          .folder = here,
                          .is_file = S_ISREG(about.st_mode),
                          .is_folder = S_ISDIR(about.st_mode),
                          .link = S_ISLNK(about.st_mode),
                          .size = S_ISREG(about.st_mode) ? static_cast<std::uint64_t>(about.st_size) : 0};
    const Walk decision = visit(entry);
    if (decision == Walk::end) return false;
    if (!entry.is_folder || decision == Walk::past || depth == 0 || name == ".git" || name == "node_modules") continue;
    Fd below(::openat(here, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!walk(std::move(below), entry.path + "/", depth - 1, visit, unread)) return false;
  }
  return true;
}

}  // namespace

void Unread::add(std::string_view path, int errno_value) {
  if (errno_value == ENOENT) return;
  if (count++ == 0) first = system_error(to_valid_utf8(path), errno_value).message;
}

void walk_folder(int folder, bool recursive, Unread& unread, const Visit& visit) {
  walk(Fd(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)), {}, recursive ? deepest : 0, visit, unread);
}

}  // namespace parlance::workspace

// SPDX-License-Identifier: Apache-2.0
#include "parlance/workspace/file_walk.h"

#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace parlance::workspace {
namespace {

constexpr int deepest = 64;  // folders: deeper trees are loops of mounts, or an attack on descriptors

bool walk(int folder, const std::string& prefix, int depth, const std::function<Walk(const WalkEntry&)>& visit) {
  const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return true;
  const std::unique_ptr<DIR, decltype([](DIR* d) { ::closedir(d); })> reader(::fdopendir(copy));
  if (!reader) {
    ::close(copy);
    return true;
  }
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(reader.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::ranges::sort(names);
  const int here = ::dirfd(reader.get());
  for (const std::string& name : names) {
    struct stat about{};
    if (::fstatat(here, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0) continue;
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
    const int below = ::openat(here, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below < 0) continue;
    const bool go_on = walk(below, entry.path + "/", depth - 1, visit);
    ::close(below);
    if (!go_on) return false;
  }
  return true;
}

}  // namespace

void walk_folder(int folder, bool recursive, const std::function<Walk(const WalkEntry&)>& visit) {
  walk(folder, {}, recursive ? deepest : 0, visit);
}

}  // namespace parlance::workspace

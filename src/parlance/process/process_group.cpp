// SPDX-License-Identifier: Apache-2.0
#include "parlance/process/process_group.h"

#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "parlance/base/text.h"

namespace parlance {
namespace {

// The text of /proc/PID/stat: "12 (any name) S 1 12 …", the state, the parent and the group after the last parenthesis.
bool runs_in(std::string_view stat, pid_t group) {
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos || name_end + 2 > stat.size()) return false;
  const std::vector<std::string_view> fields = split(stat.substr(name_end + 2), ' ');
  return fields.size() > 2 && fields[0] != "Z" && fields[0] != "X" && parse_number<pid_t>(fields[2]) == group;
}

std::string stat_of(int proc, const char* pid) {
  const int fd = ::openat(proc, (std::string(pid) + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  char buffer[1 << 10];
  const ssize_t got = ::read(fd, buffer, sizeof buffer);
  ::close(fd);
  return got > 0 ? std::string(buffer, static_cast<std::size_t>(got)) : std::string();
}

}  // namespace

bool group_runs(pid_t group) {
  DIR* const proc = ::opendir("/proc");
  if (proc == nullptr) return true;
  bool found = false;
  while (const dirent* entry = found ? nullptr : ::readdir(proc))
    found = parse_number<pid_t>(entry->d_name) && runs_in(stat_of(::dirfd(proc), entry->d_name), group);
  ::closedir(proc);
  return found;
}

}  // namespace parlance

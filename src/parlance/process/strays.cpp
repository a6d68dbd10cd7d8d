// SPDX-License-Identifier: Apache-2.0
#include "parlance/process/strays.h"

#include <cerrno>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <mutex>
#include <signal.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

#include "parlance/base/secret.h"
#include "parlance/base/text.h"

namespace parlance {
namespace {

// A process that forks during the search may need more than one pass; an endless forker is abandoned.
constexpr int most_looks = 10;

bool has_variable(int folder, const char* pid, std::string_view entry) {
  const std::string path = std::string(pid) + "/environ";
  const int fd = ::openat(folder, path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  std::string text(1, '\0');
  char buffer[16 << 10];
  for (;;) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(fd);
  return text.find(entry) != std::string::npos;
}

}  // namespace

std::string own_child_mark() {
  static std::mutex mutex;
  static pid_t owner = -1;
  static std::string mark;
  const std::lock_guard lock(mutex);
  if (owner != ::getpid()) {  // a fork of us has children of its own
    owner = ::getpid();
    mark = make_id("of_") + ".";
  }
  return mark;
}

std::string make_child_mark() { return own_child_mark() + make_id("child_"); }

std::vector<pid_t> processes_with(std::string_view variable, std::string_view value) {
  std::vector<pid_t> found;
  std::string entry(1, '\0');
  entry.append(variable).append(1, '=').append(value).append(1, '\0');
  DIR* const folder = ::opendir("/proc");
  if (folder == nullptr) return found;
  while (const dirent* process = ::readdir(folder)) {
    const auto pid = parse_number<pid_t>(process->d_name);
    if (pid && *pid != ::getpid() && has_variable(::dirfd(folder), process->d_name, entry)) found.push_back(*pid);
  }
  ::closedir(folder);
  return found;
}

int kill_strays(std::string_view variable, std::string_view value) {
  int killed = 0;
  for (int look = 0; look < most_looks; ++look) {
    int now = 0;
    for (const pid_t pid : processes_with(variable, value)) {
      // Uses a descriptor and a second look, because the system may have reused the number.
      const int fd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
      if (fd < 0) continue;
      std::string entry(1, '\0');
      entry.append(variable).append(1, '=').append(value).append(1, '\0');
      const int proc = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      if (proc >= 0 && has_variable(proc, std::to_string(pid).c_str(), entry) &&
          ::syscall(SYS_pidfd_send_signal, fd, SIGKILL, nullptr, 0) == 0)
        ++now;
      if (proc >= 0) ::close(proc);
      ::close(fd);
    }
    if (now == 0) break;
    killed += now;
  }
  return killed;
}

}  // namespace parlance

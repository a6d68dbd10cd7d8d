// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/supervise/running.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include "parlance/base/text.h"

namespace parlance::app {
namespace {

constexpr std::size_t longest_url = 4096;

struct flock whole_file() {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

}  // namespace

RunningUp::RunningUp(RunningUp&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

RunningUp::~RunningUp() {
  if (fd_ < 0) return;
  static_cast<void>(::ftruncate(fd_, 0));
  ::close(fd_);
}

void RunningUp::publish(const std::string& url) {
  const std::string line = url + "\n";
  if (fd_ < 0 || ::ftruncate(fd_, 0) != 0) return;
  static_cast<void>(::pwrite(fd_, line.data(), line.size(), 0));
}

// A lock of the process (not of the descriptor): the system releases this lock at any end, no child inherits the lock, and the
// system names its owner.
Result<std::variant<RunningUp, AlreadyRunning>> claim_running(const std::string& state_folder) {
  using Claimed = std::variant<RunningUp, AlreadyRunning>;
  const std::string path = state_folder + "/up.lock";
  RunningUp claimed;
  claimed.fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (claimed.fd_ < 0) return std::unexpected(system_error(path, errno));
  struct flock lock = whole_file();
  if (::fcntl(claimed.fd_, F_SETLK, &lock) == 0) return Claimed(std::move(claimed));
  const int error = errno;
  const int fd = std::exchange(claimed.fd_, -1);
  std::string text(longest_url, '\0');
  const ssize_t size = ::pread(fd, text.data(), text.size(), 0);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  AlreadyRunning other{.url = text.ends_with('\n') ? std::string(trim(text)) : ""};
  lock = whole_file();
  if (::fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK) other.pid = lock.l_pid;
  ::close(fd);
  if (error != EACCES && error != EAGAIN) return std::unexpected(system_error(path, error));
  return Claimed(std::move(other));
}

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/private_file.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>

#include "parlance/base/private_folder.h"
#include "parlance/base/secret.h"
#include "parlance/transport/socket_peers.h"

namespace parlance {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

// 0, or why not.
int write_whole(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : EIO;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(fd) == 0 ? 0 : errno;
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

Result<void> write_private_file(const std::string& path, std::string_view text) {
  const std::string temporary = path + make_id(".new_");
  int error = 0;
  {
    const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (file.get() < 0) return std::unexpected(system_error(temporary, errno));
    error = write_whole(file.get(), text);
  }
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    return std::unexpected(system_error(path, error));
  }
  const Descriptor folder(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) ::fsync(folder.get());  // that it fails on some file systems makes the file no less complete
  return {};
}

Result<FileLock> FileLock::open(const std::string& path) {
  FileLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (lock.fd_ < 0) return std::unexpected(system_error(path, errno));
  return lock;
}

Result<std::optional<FileLock>> FileLock::try_take(const std::string& path) {
  PARLANCE_TRY(lock, open(path));
  while (::flock(lock.fd_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return std::nullopt;
    if (errno != EINTR) return std::unexpected(system_error(path, errno));
  }
  return std::optional(std::move(lock));
}

Result<FileLock> FileLock::take(const std::string& path) {
  PARLANCE_TRY(lock, open(path));
  while (::flock(lock.fd_, LOCK_EX) != 0)
    if (errno != EINTR) return std::unexpected(system_error(path, errno));
  return lock;
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

Result<std::optional<std::string>> read_private_file(const std::string& path, std::size_t most_bytes) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (file.get() < 0 && errno == ENOENT) return std::nullopt;
  if (file.get() < 0 && errno == ELOOP) return fail(Errc::denied, path + " is a link: move the link away");
  struct stat status{};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) return std::unexpected(system_error(path, errno));
  if (!S_ISREG(status.st_mode)) return fail(Errc::denied, path + " is a special file: move it away");
  if (status.st_uid != ::geteuid()) return fail(Errc::denied, path + " belongs to another user: move it away");
  if ((status.st_mode & 077) != 0)
    return fail(Errc::denied, path + ": other users may read its keys; run chmod 600 " + path + ", or remove the file");
  std::string text(most_bytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(file.get(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::unexpected(system_error(path, errno));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size > most_bytes) return fail(Errc::failed, path + ": the file is too large. Remove the file");
  text.resize(size);
  return text;
}

Result<FolderCare> keep_private_folder(const std::string& path, uid_t own) {
  if (auto parents = make_private_folders(folder_of(path)); !parents) return std::unexpected(std::move(parents).error().in(path));
  const bool made = ::mkdir(path.c_str(), 0700) == 0;
  if (!made && errno != EEXIST) return std::unexpected(system_error(path, errno));
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat status{};
  if (folder.get() < 0 || ::fstat(folder.get(), &status) != 0) return std::unexpected(system_error(path, errno));
  if (status.st_uid != own)
    return fail(Errc::denied,
                path + ": this folder belongs to the user " + user_name(status.st_uid) +
                    ", and this user can read and change private files; choose another folder, or take ownership: chown " +
                    user_name(own) + " " + path);
  if ((status.st_mode & 077) == 0) return made ? FolderCare::made : FolderCare::fine;
  if (::fchmod(folder.get(), 0700) != 0) return std::unexpected(system_error(path + ": chmod 700", errno));
  return FolderCare::tightened;
}

}  // namespace parlance

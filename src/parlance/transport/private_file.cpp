// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/private_file.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>

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

Result<FolderCare> keep_private_folder(const std::string& path, uid_t own) {
  std::error_code failed;
  if (const std::string parent = folder_of(path); !std::filesystem::exists(parent, failed)) {
    std::filesystem::create_directories(parent, failed);
    if (failed) return fail(Errc::denied, parent + ": " + failed.message());
  }
  const bool made = ::mkdir(path.c_str(), 0700) == 0;
  if (!made && errno != EEXIST) return std::unexpected(system_error(path, errno));
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat status{};
  if (folder.get() < 0 || ::fstat(folder.get(), &status) != 0) return std::unexpected(system_error(path, errno));
  if (status.st_uid != own)
    return fail(Errc::denied, path + ": this folder belongs to the user " + user_name(status.st_uid) +
                                  ", who could read and change what is kept there; choose another, or make it yours: chown " +
                                  user_name(own) + " " + path);
  if ((status.st_mode & 077) == 0) return made ? FolderCare::made : FolderCare::fine;
  if (::fchmod(folder.get(), 0700) != 0) return std::unexpected(system_error(path + ": chmod 700", errno));
  return FolderCare::tightened;
}

}  // namespace parlance

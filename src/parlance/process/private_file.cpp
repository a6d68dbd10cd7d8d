// SPDX-License-Identifier: Apache-2.0
#include "parlance/process/private_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace parlance {
namespace {

std::string folder() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  struct stat about{};
  if (runtime != nullptr && *runtime == '/' && ::stat(runtime, &about) == 0 && S_ISDIR(about.st_mode) &&
      about.st_uid == ::geteuid() && (about.st_mode & 077) == 0 && ::access(runtime, W_OK) == 0)
    return runtime;
  return std::filesystem::temp_directory_path().string();
}

bool write_all(int fd, std::string_view rest) {
  while (!rest.empty()) {
    const ssize_t size = ::write(fd, rest.data(), rest.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<PrivateFile>> PrivateFile::make(std::string_view prefix, std::string_view content) {
  std::string path = folder() + "/" + std::string(prefix) + "XXXXXX";
  const int fd = ::mkostemp(path.data(), O_CLOEXEC);  // 0600, and never an existing file
  if (fd < 0) return fail(Errc::failed, path + ": " + std::strerror(errno));
  std::unique_ptr<PrivateFile> file(new PrivateFile(path));
  const bool written = write_all(fd, content);
  const int error = errno;
  ::close(fd);
  if (!written) return fail(Errc::failed, path + ": " + std::strerror(error));
  return file;
}

PrivateFile::~PrivateFile() { ::unlink(path_.c_str()); }

}  // namespace parlance

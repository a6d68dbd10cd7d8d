// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/whole_file.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace parlance {

Result<std::string> read_whole_file(const std::string& path) {
  const bool input = path == "-";
  const int fd = input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fail(system_error("open " + path, errno));
  std::string text;
  std::array<char, 65536> piece;
  for (;;) {
    const ssize_t count = ::read(fd, piece.data(), piece.size());
    if (count > 0) {
      text.append(piece.data(), static_cast<std::size_t>(count));
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    const int error = errno;
    if (!input) ::close(fd);
    if (count < 0) return fail(system_error("read " + path, error));
    return text;
  }
}

}  // namespace parlance

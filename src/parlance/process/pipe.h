// SPDX-License-Identifier: Apache-2.0
// An owned descriptor, closed at its destruction, and a pipe of two. Any thread.
#pragma once

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include "parlance/base/result.h"

namespace parlance {

struct Descriptor {
  int fd = -1;
  Descriptor() = default;
  explicit Descriptor(int number) : fd(number) {
    // A program that was started without stdin gets its number for its next descriptor: a child's 0, 1 or 2 would overwrite it.
    if (fd < 0 || fd > STDERR_FILENO) return;
    const int above = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ::close(fd);
    fd = above;
  }
  Descriptor(Descriptor&& other) noexcept : fd(std::exchange(other.fd, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd, other.fd);
    return *this;
  }
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
  int release() { return std::exchange(fd, -1); }
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

inline Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(system_error("pipe", errno));
  Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
  if (pipe.read.fd < 0 || pipe.write.fd < 0) return fail(system_error("pipe", EMFILE));
  return pipe;
}

}  // namespace parlance

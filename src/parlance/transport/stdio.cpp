// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/stdio.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "parlance/transport/fd_stream.h"
#include "parlance/transport/shared_flags.h"

namespace parlance {
namespace {

bool same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

// A new open file description for the same pipe, terminal or /dev/null, or -1. Not for regular files: a new description would
// start at their beginning.
int open_anew(int fd, const struct stat& what, int mode) {
  if (!S_ISFIFO(what.st_mode) && !S_ISCHR(what.st_mode)) return -1;
  const bool terminal = ::isatty(fd) != 0;
  const int flags = mode | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
  const int again = ::open(("/proc/self/fd/" + std::to_string(fd)).c_str(), flags);
  if (again >= 0 || !terminal) return again;
  // Under `sudo -u` the terminal belongs to another user; the controlling terminal can always be opened.
  const int controlling = ::open("/dev/tty", flags);
  struct stat found{};
  if (controlling >= 0 && (::fstat(controlling, &found) != 0 || ::tcgetsid(controlling) != ::tcgetsid(fd))) {
    ::close(controlling);
    return -1;
  }
  return controlling;
}

struct Taken {
  int fd = -1;
  SharedNonBlocking shared{};
};

// A non-blocking descriptor above 2 for the file of `fd`.
Result<Taken> take(int fd, const struct stat& what, int mode, int errors) {
  Taken taken;
  taken.fd = open_anew(fd, what, mode);
  if (taken.fd < 0) {
    // A regular file never blocks, regardless of its flags: stderr may be the same file (`> log 2>&1`).
    auto shared = SharedNonBlocking::set(fd, S_ISREG(what.st_mode) ? -1 : errors);
    if (!shared) return fail(std::move(shared).error());
    taken.shared = *std::move(shared);
    taken.fd = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  } else if (taken.fd <= STDERR_FILENO) {
    const int above = ::fcntl(taken.fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ::close(taken.fd);
    taken.fd = above;
  }
  if (taken.fd < 0) return fail(system_error("dup", errno));
  return taken;
}

// Keeps the flags of the shared files until the descriptors are closed.
class StdioStream final : public ByteStream {
 public:
  StdioStream(Loop& loop, Taken input, Taken output, bool one_socket)
      : input_(std::move(input.shared)), output_(std::move(output.shared)) {
    if (one_socket) ::close(output.fd);
    inner_ = one_socket ? fd_stream(loop, input.fd, "stdio", ReadWait::looking)
                        : fd_stream(loop, input.fd, output.fd, "stdio", ReadWait::looking);
  }
  void start_read(std::span<char> into, IoDone& done) override { inner_->start_read(into, done); }
  std::size_t try_write(BytesView from) override { return inner_->try_write(from); }
  void start_write(BytesView from, IoDone& done) override { inner_->start_write(from, done); }
  void close_output() override { inner_->close_output(); }
  void watch(HangUp* watcher) override { inner_->watch(watcher); }
  void close() override { inner_->close(); }
  void give_up(IoDone& done) override { inner_->give_up(done); }
  std::string name() const override { return inner_->name(); }

 private:
  SharedNonBlocking input_;
  SharedNonBlocking output_;
  std::unique_ptr<ByteStream> inner_;
};

}  // namespace

Result<std::unique_ptr<ByteStream>> stdio_stream(Loop& loop, StdioDescriptors descriptors) {
  struct stat input{};
  struct stat output{};
  if (::fstat(descriptors.input, &input) != 0) return fail(Errc::invalid_request, "stdin is closed");
  if (::fstat(descriptors.output, &output) != 0) return fail(Errc::invalid_request, "stdout is closed");

  PARLANCE_TRY(reading, take(descriptors.input, input, O_RDONLY, descriptors.errors));
  auto writing = take(descriptors.output, output, O_WRONLY, descriptors.errors);
  if (!writing) {
    ::close(reading.fd);
    return fail(std::move(writing).error());
  }

  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) {
    ::dup2(nothing, descriptors.input);
    if (::dup2(descriptors.errors, descriptors.output) < 0) ::dup2(nothing, descriptors.output);
    ::close(nothing);
  }
  const bool one_socket = S_ISSOCK(input.st_mode) && same_file(input, output);
  return std::make_unique<StdioStream>(loop, std::move(reading), *std::move(writing), one_socket);
}

void fill_standard_descriptors() {
  for (int fd = ::open("/dev/null", O_RDWR); fd >= 0; fd = ::dup(fd)) {  // The lowest free descriptor.
    if (fd <= STDERR_FILENO) continue;
    ::close(fd);
    return;
  }
}

}  // namespace parlance

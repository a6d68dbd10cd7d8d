// SPDX-License-Identifier: Apache-2.0
#include "parlance/async/file_watch.h"

#include <array>
#include <string_view>
#include <sys/inotify.h>
#include <unistd.h>
#include <utility>

#include "parlance/async/loop_asio.h"

namespace parlance {

struct FileWatch::Implementation : std::enable_shared_from_this<Implementation> {
  Implementation(Loop& owner, int fd, std::string file, std::function<void()> call)
      : loop(owner), descriptor(io_of(owner), fd), name(std::move(file)), changed(std::move(call)) {}

  void listen() {
    descriptor.async_wait(AsioDescriptor::wait_read, [self = shared_from_this()](const boost::system::error_code& error) {
      if (error) return;
      Loop::Turn turn(self->loop);
      const bool is_changed = self->read();
      self->listen();
      if (is_changed && self->changed) self->changed();
    });
  }

  // True: an event names the file, or events were lost.
  bool read() {
    alignas(inotify_event) std::array<char, 4096> buffer{};
    bool found = false;
    for (;;) {
      const ssize_t size = ::read(descriptor.native_handle(), buffer.data(), buffer.size());
      if (size <= 0) return found;
      for (const char* at = buffer.data(); at < buffer.data() + size;) {
        const auto* const event = reinterpret_cast<const inotify_event*>(at);
        found = found || (event->mask & IN_Q_OVERFLOW) != 0 || (event->len != 0 && name == std::string_view(event->name));
        at += sizeof(inotify_event) + event->len;
      }
    }
  }

  Loop& loop;
  AsioDescriptor descriptor;
  std::string name;
  std::function<void()> changed;
};

FileWatch::FileWatch(Loop& loop, const std::string& folder, std::string name, std::function<void()> changed) {
  const int fd = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (fd < 0) return;
  if (::inotify_add_watch(fd, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE) < 0) {
    ::close(fd);
    return;
  }
  implementation_ = std::make_shared<Implementation>(loop, fd, std::move(name), std::move(changed));
  implementation_->listen();
}

FileWatch::~FileWatch() {
  if (!implementation_) return;
  implementation_->changed = nullptr;
  boost::system::error_code ignored;
  implementation_->descriptor.cancel(ignored);
}

}  // namespace parlance

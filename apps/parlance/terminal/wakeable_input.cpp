// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/terminal/wakeable_input.h"

#include <array>
#include <cerrno>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "parlance/base/check.h"

namespace parlance::app {

WakeableInput::WakeableInput(int descriptor) : descriptor_(descriptor), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  PARLANCE_CHECK(wake_, "an eventfd");
}

WakeableInput::Read WakeableInput::more(std::string& to) {
  std::array<pollfd, 2> places{
      {{.fd = descriptor_, .events = POLLIN, .revents = 0}, {.fd = wake_.get(), .events = POLLIN, .revents = 0}}};
  std::array<char, 4096> piece;
  for (;;) {
    if (::poll(places.data(), places.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return Read::ended;
    }
    if (places[1].revents != 0) {
      silence();
      return is_woken_.exchange(false) ? Read::woken : Read::redraw;
    }
    const ssize_t count = ::read(descriptor_, piece.data(), piece.size());
    if (count > 0) {
      to.append(piece.data(), static_cast<std::size_t>(count));
      return Read::bytes;
    }
    if (count == 0 || (errno != EINTR && errno != EAGAIN)) return Read::ended;
  }
}
bool WakeableInput::soon(std::chrono::milliseconds time) const {
  pollfd place{.fd = descriptor_, .events = POLLIN, .revents = 0};
  return ::poll(&place, 1, static_cast<int>(time.count())) > 0;
}

void WakeableInput::wake() {
  is_woken_ = true;
  ring();
}
void WakeableInput::redraw() { ring(); }
void WakeableInput::forget() {
  silence();
  is_woken_ = false;
}

void WakeableInput::ring() {
  const std::uint64_t one = 1;
  static_cast<void>(::write(wake_.get(), &one, sizeof one));
}
void WakeableInput::silence() {
  std::uint64_t all = 0;
  static_cast<void>(::read(wake_.get(), &all, sizeof all));
}

}  // namespace parlance::app

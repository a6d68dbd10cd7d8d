// SPDX-License-Identifier: Apache-2.0
#include "parlance/pg/interrupt.h"

#include <cerrno>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "parlance/base/check.h"

namespace parlance::pg {

Interrupt::Interrupt() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) { PARLANCE_CHECK(fd_ >= 0, "a descriptor"); }
Interrupt::~Interrupt() { ::close(fd_); }

void Interrupt::raise() {
  const std::uint64_t one = 1;
  static_cast<void>(::write(fd_, &one, sizeof one));
}

bool Interrupt::raised() const { return wait_ms(0); }

bool Interrupt::wait_ms(int milliseconds) const {
  pollfd watched{.fd = fd_, .events = POLLIN, .revents = 0};
  return ::poll(&watched, 1, milliseconds) == 1;
}

}  // namespace parlance::pg

// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program, this library moves its wall clock by the seconds in the file TEST_CLOCK_FILE: one 64-bit number in the byte order of
// the machine. The file stays mapped, so a test makes the clock jump by writing in place. Monotonic clocks stay unchanged. Any thread.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

const volatile std::int64_t* mapped() {
  const char* const path = std::getenv("TEST_CLOCK_FILE");
  const int file = path == nullptr ? -1 : ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return nullptr;
  void* const at = ::mmap(nullptr, sizeof(std::int64_t), PROT_READ, MAP_SHARED, file, 0);
  ::close(file);
  return at == MAP_FAILED ? nullptr : static_cast<const volatile std::int64_t*>(at);
}

std::int64_t seconds_ahead() {
  static const volatile std::int64_t* const ahead = mapped();
  return ahead == nullptr ? 0 : *ahead;
}

timespec shifted() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now;
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* at) noexcept {
  using Real = int (*)(clockid_t, timespec*);
  static const Real real = reinterpret_cast<Real>(::dlsym(RTLD_NEXT, "clock_gettime"));
  const int done = real(clock, at);
  if (done == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) at->tv_sec += seconds_ahead();
  return done;
}

int gettimeofday(timeval* at, void*) noexcept {
  const timespec now = shifted();
  *at = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t* at) noexcept {
  const timespec now = shifted();
  if (at != nullptr) *at = now.tv_sec;
  return now.tv_sec;
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program, this library moves its wall clock by the seconds in the file TEST_CLOCK_FILE: one 64-bit number in the byte order of
// the machine. The file stays mapped, so a test makes the clock jump by writing in place. Monotonic clocks stay unchanged. Any thread.
//
// libfaketime 0.9.10 cannot take its place: it converts the absolute times of timerfd_settime and rejects those in the past, with and
// without FAKETIME_DONT_FAKE_MONOTONIC. Asio arms a due timer with such a time, so its loop sleeps until a socket wakes it. This program
// prints "0 1", and "-1 0" with LD_PRELOAD=libfaketime.so.1 FAKETIME=+3600s:
//
//   #include <poll.h>
//   #include <stdio.h>
//   #include <sys/timerfd.h>
//   int main(void) {
//     int timer = timerfd_create(CLOCK_MONOTONIC, 0);
//     struct itimerspec due = {.it_value = {0, 1}};
//     int set = timerfd_settime(timer, TFD_TIMER_ABSTIME, &due, NULL);
//     struct pollfd ready = {timer, POLLIN, 0};
//     printf("%d %d\n", set, poll(&ready, 1, 1000));
//   }
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

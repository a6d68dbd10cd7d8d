// SPDX-License-Identifier: Apache-2.0
#include "parlance/process/guard_main.h"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "parlance/process/spawn.h"

namespace parlance {
namespace {

constexpr int socket_fd = 0;
constexpr int parent_fd = 1;
constexpr long most_pids = 4L << 20;  // PID_MAX_LIMIT of 64-bit kernels
// How long after our end a child may take from its clone to its exec (a program on a slow network disk).
constexpr int latecomer_ms = 60'000;

// A process that forks during the search may need more than one pass; an endless forker is abandoned.
constexpr int most_rounds = 10;

struct Mark {
  char text[128];
  long length;
};

// A bit for each possible pid: half a MiB, of which the kernel provides only the touched pages.
struct Groups {
  unsigned char* bits;
};

PARLANCE_BARE void kill_group(long group) { ::syscall(SYS_kill, -group, SIGKILL); }

PARLANCE_BARE void kill_all(Groups groups) {
  for (long byte = 0; byte < most_pids / 8; ++byte) {
    if (groups.bits[byte] == 0) continue;
    for (int bit = 0; bit < 8; ++bit)
      if ((groups.bits[byte] >> bit & 1) != 0) kill_group(byte * 8 + bit);
    groups.bits[byte] = 0;
  }
}

PARLANCE_BARE void note(Groups groups, pid_t message) {
  const long group = message < 0 ? -static_cast<long>(message) : message;
  if (group <= 1 || group >= most_pids) return;  // -1 would mean everybody.
  const auto mask = static_cast<unsigned char>(1U << (group % 8));
  unsigned char& place = groups.bits[group / 8];
  place = message > 0 ? static_cast<unsigned char>(place | mask) : static_cast<unsigned char>(place & ~mask);
}

PARLANCE_BARE long open_for_reading(const char* path) { return ::syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0); }

PARLANCE_BARE bool is_digit(char c, bool hex) { return (c >= '0' && c <= '9') || (hex && c >= 'a' && c <= 'f'); }

PARLANCE_BARE unsigned long read_number(const char*& at, const char* end, bool hex) {
  unsigned long value = 0;
  for (; at < end && is_digit(*at, hex); ++at)
    value = value * (hex ? 16U : 10U) + static_cast<unsigned long>(*at <= '9' ? *at - '0' : *at - 'a' + 10);
  return value;
}

// Whether a variable of an environment begins with the mark.
PARLANCE_BARE bool has_mark(long fd, const Mark& mark) {
  char text[4096];
  long matched = 0;  // characters of the mark; -1: another variable
  for (;;) {
    const long got = ::syscall(SYS_read, fd, text, sizeof text);
    if (got <= 0) return false;
    for (long i = 0; i < got; ++i) {
      if (text[i] == '\0') matched = 0;
      else if (matched >= 0) matched = text[i] == mark.text[matched] ? matched + 1 : -1;
      if (matched == mark.length) return true;
    }
  }
}

// Holds a descriptor before the check: the system may reuse the number.
PARLANCE_BARE bool kill_if_marked(long proc, const char* pid_text, const Mark& mark) {
  char path[32];
  long length = 0;
  long pid = 0;
  for (; pid_text[length] != '\0'; ++length) {
    if (!is_digit(pid_text[length], false) || length == 10) return false;
    pid = pid * 10 + (pid_text[length] - '0');
    path[length] = pid_text[length];
  }
  static constexpr char file[] = "/environ";
  for (unsigned long i = 0; i < sizeof file; ++i) path[length + static_cast<long>(i)] = file[i];
  const long process = pid > 1 ? ::syscall(SYS_pidfd_open, pid, 0) : -1;
  if (process < 0) return false;
  const long environment = ::syscall(SYS_openat, proc, path, O_RDONLY | O_CLOEXEC, 0);
  const bool killed =
      environment >= 0 && has_mark(environment, mark) && ::syscall(SYS_pidfd_send_signal, process, SIGKILL, nullptr, 0) == 0;
  if (environment >= 0) ::syscall(SYS_close, environment);
  ::syscall(SYS_close, process);
  return killed;
}

PARLANCE_BARE void kill_marked(const Mark& mark) {
  if (mark.length == 0) return;
  for (int look = 0; look < most_rounds; ++look) {
    const long proc = open_for_reading("/proc");
    if (proc < 0) return;
    int killed = 0;
    alignas(8) char entries[4096];  // linux_dirent64: the length at 16, the name at 19
    for (;;) {
      const long got = ::syscall(SYS_getdents64, proc, entries, sizeof entries);
      if (got <= 0) break;
      for (long at = 0; at < got;) {
        if (kill_if_marked(proc, entries + at + 19, mark)) ++killed;
        at += *reinterpret_cast<const unsigned short*>(entries + at + 16);
      }
    }
    ::syscall(SYS_close, proc);
    if (killed == 0) return;
  }
}

// Overwrites the memory between two numbers of a text, and fills the rest with zeros.
PARLANCE_BARE void overwrite(const char*& at, const char* end, const char* content, unsigned long length) {
  const unsigned long first = read_number(at, end, false);
  if (at < end) ++at;
  const unsigned long last = read_number(at, end, false);
  if (at < end) ++at;
  if (first == 0 || last <= first || last - first > (4UL << 20)) return;
  volatile char* memory = reinterpret_cast<char*>(first);
  for (unsigned long i = 0; i < last - first; ++i) memory[i] = i < length ? content[i] : '\0';
}

// A search for our processes by command line (`pkill -9 -f parlance`) must not hit the process that cleans up afterwards. The
// kernel shows the memory from arg_start to arg_end, fields 48 and 49 of /proc/self/stat; ours is a copy. The environment, 50 and
// 51, is overwritten too: if another program looks for our mark, our guard has its work to do first.
PARLANCE_BARE void take_own_name() {
  static constexpr char name[] = "child-guard";
  ::syscall(SYS_prctl, PR_SET_NAME, name, 0, 0, 0);
  char text[1024];
  const long fd = open_for_reading("/proc/self/stat");
  if (fd < 0) return;
  const long length = ::syscall(SYS_read, fd, text, sizeof text);
  ::syscall(SYS_close, fd);
  if (length <= 0) return;
  const char* at = text + length;
  while (at > text && *(at - 1) != ')') --at;  // The second field may hold anything.
  int field = 2;
  while (at < text + length && field < 48)
    if (*at++ == ' ') ++field;
  overwrite(at, text + length, name, sizeof name);
  overwrite(at, text + length, name, 0);
}

// "start-end rw-p offset device inode   name": private, writable, and either unnamed or named by the kernel.
PARLANCE_BARE bool is_anonymous_memory(const char* at, const char* end) {
  if (end - at < 6 || at[1] != 'r' || at[2] != 'w' || at[4] != 'p') return false;
  for (int spaces = 0; at < end && spaces < 5; ++at)
    if (*at == ' ') ++spaces;
  while (at < end && *at == ' ') ++at;
  return at == end || (end - at > 1 && at[0] == '[' && (at[1] == 'h' || at[1] == 'a'));  // [heap], [anon:…]
}

// Releases the copy of the heap; otherwise every page changed by our parent would exist twice. Releases only memory without a
// file (the dynamic linker's data stays), and not the current stack.
PARLANCE_BARE void drop_memory() {
  const long fd = open_for_reading("/proc/self/maps");
  if (fd < 0) return;
  char here = 0;
  const auto own = reinterpret_cast<unsigned long>(&here);
  char text[4096];
  long filled = 0;
  for (;;) {
    const long got = ::syscall(SYS_read, fd, text + filled, sizeof text - static_cast<unsigned long>(filled));
    if (got <= 0) break;
    filled += got;
    long start = 0;
    for (long i = 0; i < filled; ++i) {
      if (text[i] != '\n') continue;
      const char* at = text + start;
      const char* const end = text + i;
      start = i + 1;
      const unsigned long first = read_number(at, end, true);
      if (at < end) ++at;
      const unsigned long last = read_number(at, end, true);
      if (is_anonymous_memory(at, end) && (own < first || own >= last))
        ::syscall(SYS_madvise, first, last - first, MADV_DONTNEED);
    }
    for (long i = start; i < filled; ++i) text[i - start] = text[i];
    filled -= start;
    if (filled == static_cast<long>(sizeof text)) filled = 0;  // a path of 4 KiB: not memory of this kind
  }
  ::syscall(SYS_close, fd);
}

// The clock includes the machine's sleep, and the timer fires at the wake-up. -1: the kernel gives none.
PARLANCE_BARE long set_timer(long timer, GuardLimit limit) {
  if (timer < 0) timer = ::syscall(SYS_timerfd_create, CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (timer < 0) return -1;
  itimerspec when{.it_interval = {.tv_sec = 0, .tv_nsec = 0},
                  .it_value = {.tv_sec = limit.nanoseconds / 1'000'000'000, .tv_nsec = limit.nanoseconds % 1'000'000'000}};
  if (when.it_value.tv_sec <= 0 && when.it_value.tv_nsec <= 0) when.it_value.tv_nsec = 1;  // zero would mean never
  ::syscall(SYS_timerfd_settime, timer, TFD_TIMER_ABSTIME, &when, nullptr);
  return timer;
}

}  // namespace

PARLANCE_BARE int guard_main(void* pointer) {
  const GuardArguments arguments = *static_cast<const GuardArguments*>(pointer);
  Mark mark;  // not cleared: clearing would call memset
  mark.length = 0;
  for (; arguments.mark[mark.length] != '\0' && mark.length < static_cast<long>(sizeof mark.text); ++mark.length)
    mark.text[mark.length] = arguments.mark[mark.length];
  ::syscall(SYS_setsid);
  // A reader of our output's end, or an unmount of our folder, must not wait for the guard.
  ::syscall(SYS_dup3, arguments.socket, socket_fd, 0);
  ::syscall(SYS_close_range, 1U, ~0U, 0);
  ::syscall(SYS_chdir, "/");
  const long parent = ::syscall(SYS_pidfd_open, arguments.parent, 0);  // The lowest free: parent_fd.
  bool parent_gone = ::syscall(SYS_getppid) != arguments.parent;
  take_own_name();
  drop_memory();

  const long memory =
      ::syscall(SYS_mmap, nullptr, most_pids / 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory < 0 && memory > -4096) ::syscall(SYS_exit_group, 1);
  const Groups groups{reinterpret_cast<unsigned char*>(memory)};
  const pid_t ready_message = guard_farewell;
  ::syscall(SYS_sendto, socket_fd, &ready_message, sizeof ready_message, MSG_NOSIGNAL, nullptr, 0);

  long timer = -1;
  bool over = false;  // the limit has passed: later children are killed at once
  for (;;) {
    // Every signal is blocked, so only these three events wake the guard.
    timespec patience{.tv_sec = latecomer_ms / 1000, .tv_nsec = 0};
    pollfd watched[3] = {{.fd = socket_fd, .events = POLLIN, .revents = 0},
                         {.fd = parent_gone || parent < 0 ? -1 : parent_fd, .events = POLLIN, .revents = 0},
                         {.fd = over ? -1 : static_cast<int>(timer), .events = POLLIN, .revents = 0}};
    const long ready = ::syscall(SYS_ppoll, watched, 3, parent_gone ? &patience : nullptr, nullptr, 0);
    if (ready == 0) break;
    if (watched[0].revents != 0) {
      GuardLimit limit;
      pid_t message = guard_farewell;
      const long got = ::syscall(SYS_read, socket_fd, &limit, sizeof limit);
      if (got == sizeof limit) {
        timer = set_timer(timer, limit);
        continue;
      }
      if (got == sizeof message) message = *reinterpret_cast<const pid_t*>(&limit);
      if (message == guard_farewell) break;
      note(groups, message);
    } else if (watched[2].revents != 0) {  // Only when no later limit waits to be read.
      over = true;
      kill_all(groups);
      kill_marked(mark);
    }
    if (watched[1].revents != 0) parent_gone = true;
    if (parent_gone || over) kill_all(groups);
  }
  kill_all(groups);
  kill_marked(mark);  // the processes that would start more are dead
  for (;;) ::syscall(SYS_exit_group, 0);
}

}  // namespace parlance

// SPDX-License-Identifier: Apache-2.0
#include "parlance/process/child_process.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parlance/async/channel.h"
#include "parlance/async/loop_asio.h"
#include "parlance/async/signals.h"
#include "parlance/process/child_environment.h"
#include "parlance/process/child_guard.h"
#include "parlance/process/child_stream.h"
#include "parlance/process/exit_words.h"
#include "parlance/process/limits.h"
#include "parlance/process/pipe.h"
#include "parlance/process/process_group.h"
#include "parlance/process/stderr_lines.h"

namespace parlance {
namespace {

using Error_code = boost::system::error_code;

// Bytes read in a turn from a child that floods its stderr; then other children have their turn.
constexpr std::size_t stderr_turn_bytes = 256 << 10;
constexpr std::size_t stderr_read_bytes = 16 << 10;
// Bytes read from stderr after the child's end: a full pipe of the largest size for an unprivileged process.
constexpr std::size_t stderr_rest_bytes = 1 << 20;
// Interval of checks of a group without its leader: each check reads /proc.
constexpr std::chrono::milliseconds group_look{50};

// Lives until the child is reaped, independent of the ChildProcess: the operations on pidfd hold this object.
struct ChildState final : std::enable_shared_from_this<ChildState>, private Timer {
  ChildState(Loop& l, ChildSettings s, Spawned spawned, int stderr_fd)
      : loop(l), settings(std::move(s)), pid(spawned.pid), pidfd(io_of(l)), error_output(io_of(l)), changed(l) {
    pidfd.assign(spawned.pidfd);
    error_output.assign(stderr_fd);
    error_output.native_non_blocking(true);
  }
  ~ChildState();

  void watch_exit() {
    pidfd.async_wait(AsioDescriptor::wait_read, [self = shared_from_this()](const Error_code& code) {
      if (code) return;
      Loop::Turn turn(self->loop);
      self->on_exit();
    });
  }

  void pump_stderr() {
    error_output.async_wait(AsioDescriptor::wait_read, [self = shared_from_this()](const Error_code& code) {
      if (code) return;
      Loop::Turn turn(self->loop);
      self->read_stderr(stderr_turn_bytes);
      if (self->error_output.is_open()) self->pump_stderr();
      else if (self->lingering) self->finish();
    });
  }

  void read_stderr(std::size_t most) {
    const auto on_line = [this](BytesView line) {
      if (!abandoned && settings.on_stderr_line) settings.on_stderr_line(line);
    };
    char buffer[stderr_read_bytes];
    for (std::size_t total = 0; total < most && error_output.is_open();) {
      const ssize_t n = ::read(error_output.native_handle(), buffer, sizeof buffer);
      if (n > 0) {
        total += static_cast<std::size_t>(n);
        lines.feed({buffer, static_cast<std::size_t>(n)}, on_line);
      } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
        Error_code ignored;
        error_output.close(ignored);
        lines.finish(on_line);
      } else if (errno == EAGAIN) {
        return;
      }
    }
  }

  // The leader is a zombie now. Only now can its group be signalled without a risk for a stranger with the same number.
  void on_exit() {
    siginfo_t info{};
    const bool known = ::waitid(P_PIDFD, static_cast<id_t>(pidfd.native_handle()), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
    if (known &&
        info.si_pid == 0) {  // Asio's waits may end without reason, because Asio reuses its record of a closed descriptor.
      watch_exit();
      return;
    }
    // The child was killed, and its stderr is still open: a shell whose program cleans up.
    if (known && rung == Rung::term && info.si_code == CLD_KILLED && info.si_status == SIGTERM && error_output.is_open() &&
        !abandoned)
      linger();
    else finish();
  }

  // Until its group has ended. A process outside the group may hold stderr indefinitely, and does not count.
  void linger() {
    lingering = true;
    if (!group_runs(pid)) finish();
    else start(loop, std::min(term_ends, loop.now() + group_look));
  }

  void finish() {
    if (std::exchange(finishing, true)) return;
    ::kill(-pid, SIGKILL);
    read_stderr(stderr_rest_bytes);
    reap();
    stop_timer();
    Error_code ignored;
    if (error_output.is_open()) {
      error_output.close(ignored);
      lines.finish([this](BytesView line) {
        if (!abandoned && settings.on_stderr_line) settings.on_stderr_line(line);
      });
    }
    pidfd.close(ignored);
    if (stream != nullptr) stream->child_ended();
    changed.notify_all();
  }

  void reap() {
    guard_forget(pid);
    ExitStatus result;
    siginfo_t info{};
    int got = 0;
    do got = ::waitid(P_PIDFD, static_cast<id_t>(pidfd.native_handle()), &info, WEXITED);
    while (got != 0 && errno == EINTR);
    if (got == 0 && info.si_code == CLD_EXITED) result.code = info.si_status;
    else if (got == 0) result.signal = info.si_status;
    result.stderr_tail = lines.tail();
    status = std::move(result);
  }

  void signal_group(int number) const {
    if (!status) ::kill(-pid, number);
  }

  void begin_stop() {
    if (status || rung != Rung::none) return;
    rung = Rung::eof;
    if (settings.stdin_from == ChildSettings::Stdin::null) {
      climb();
      return;
    }
    if (stream != nullptr) stream->close_output();
    start(loop, loop.now() + settings.eof_grace);
  }

  void climb() {
    if (rung == Rung::eof) {
      rung = Rung::term;
      signal_group(SIGTERM);
      signal_group(SIGCONT);  // a stopped process could not react
      term_ends = loop.now() + settings.term_grace;
      start(loop, term_ends);
    } else {
      rung = Rung::kill;
      signal_group(SIGKILL);
      if (lingering) finish();
    }
  }
  void on_timer() override {
    if (lingering && loop.now() < term_ends) linger();
    else climb();
  }
  void stop_timer() { Timer::stop(); }

  void abandon() {
    abandoned = true;
    untaken.reset();
    stop_timer();
    signal_group(SIGKILL);
    if (lingering) finish();
  }

  Loop& loop;
  ChildSettings settings;
  pid_t pid;
  AsioDescriptor pidfd;
  AsioDescriptor error_output;
  StderrLines lines;
  std::unique_ptr<ChildStream> untaken;
  ChildStream* stream = nullptr;  // not taken, or owned elsewhere; null once destroyed
  std::optional<ExitStatus> status;
  Signal changed;
  enum class Rung { none, eof, term, kill } rung = Rung::none;
  TimePoint term_ends{};   // set with Rung::term
  bool lingering = false;  // the leader has ended, its group may go on until the next rung
  bool finishing = false;
  bool abandoned = false;
};

// Not reaped: the loop has ended, and with the loop the operation on pidfd.
ChildState::~ChildState() {
  if (status) return;
  ::kill(-pid, SIGKILL);
  pollfd ended{.fd = pidfd.native_handle(), .events = POLLIN, .revents = 0};
  ::poll(&ended, 1, static_cast<int>(std::chrono::milliseconds(limits::guard_patience).count()));
  if (ended.revents != 0) reap();
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

Task<ExitStatus> wait_for(std::shared_ptr<ChildState> state) {
  while (!state->status) co_await state->changed.wait();
  co_return *state->status;
}

Task<Result<ExitStatus>> wait_for_result(std::shared_ptr<ChildState> state) { co_return co_await wait_for(std::move(state)); }

Task<ExitStatus> stop_and_wait(std::shared_ptr<ChildState> state) {
  state->begin_stop();
  co_return co_await wait_for(std::move(state));
}

Task<Error> explain_end(std::shared_ptr<ChildState> state, std::chrono::milliseconds patience) {
  const auto status = co_await with_deadline(state->loop, state->loop.now() + patience, wait_for_result(state));
  const std::string name = base_name(state->settings.command.front());
  if (!status) co_return Error{.code = Errc::disconnected, .message = name + " closed its output, but still runs"};
  co_return Error{
      .code = Errc::disconnected,
      .message = name + " " +
                 end_in_words(status->code, status->signal, status->stderr_tail, "exited with code ", "was killed by signal "),
      .data = end_as_json(status->code, status->signal, status->stderr_tail)};
}

class OwnedChild final : public ChildProcess {
 public:
  explicit OwnedChild(std::shared_ptr<ChildState> state) : state_(std::move(state)) {}
  ~OwnedChild() { state_->abandon(); }

  pid_t pid() const override { return state_->pid; }
  std::unique_ptr<ByteStream> take_stream() override {
    PARLANCE_CHECK(state_->untaken, "the stream of a child to be taken once");
    return std::move(state_->untaken);
  }
  const std::optional<ExitStatus>& exit_status() const override { return state_->status; }
  Task<ExitStatus> wait() override { return wait_for(state_); }
  Task<ExitStatus> stop() override { return stop_and_wait(state_); }
  Task<Error> why_it_ended(std::chrono::milliseconds patience) override { return explain_end(state_, patience); }
  void signal_group(int number) override { state_->signal_group(number); }
  std::string stderr_tail() const override { return state_->lines.tail(); }

 private:
  std::shared_ptr<ChildState> state_;
};

Error start_error(const SpawnPlan& plan, const SpawnFailure& failure, const std::string& program) {
  using Step = SpawnFailure::Step;
  if (failure.step == Step::folder) return system_error("working folder " + plan.folder, failure.error);
  if (failure.step != Step::program) return system_error("start " + program, failure.error);
  const bool by_path = program.find('/') == std::string::npos;
  if (failure.error == ENOENT || failure.error == ENOTDIR) {
    for (const std::string& path : plan.programs) {
      const std::string whole = path.starts_with('/') || plan.folder.empty() ? path : plan.folder + "/" + path;
      if (::access(whole.c_str(), F_OK) == 0)
        return Error{Errc::not_found, "start " + path + ": its interpreter (first line) does not exist"};
    }
    if (by_path)
      return Error{Errc::not_found,
                   "no program \"" + program + "\" in PATH (" + std::string(search_path(plan.environment)) + ")"};
    return Error{Errc::not_found, "no such program: " + program};
  }
  const std::string path = failure.program < plan.programs.size() ? plan.programs[failure.program] : program;
  return system_error("start " + path, failure.error);
}

Result<void> check_command(const ChildSettings& settings) {
  if (settings.command.empty() || settings.command.front().empty()) return fail(Errc::invalid_params, "no command to start");
  for (const std::string& word : settings.command)
    if (word.find('\0') != std::string::npos) return fail(Errc::invalid_params, "a NUL in a word of the command");
  if (settings.folder.find('\0') != std::string::npos) return fail(Errc::invalid_params, "a NUL in the working folder");
  return {};
}

// Opened before the start and entered by descriptor: the child starts in exactly the checked folder.
Result<Descriptor> open_folder(const ChildSettings& settings) {
  if (settings.folder.empty()) return Descriptor();
  Descriptor folder(::open(settings.folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (folder.fd < 0) return fail(system_error("working folder " + settings.folder, errno));
  if (settings.folder_links == FolderLinks::followed) return folder;
  std::error_code error;
  const std::string real = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(folder.fd), error);
  if (real == settings.folder) return folder;
  return fail(Errc::denied, "working folder " + settings.folder + " leads through a link to " +
                                (error ? "an unknown place" : real) +
                                ". It may have been replaced. Put the folder back, or start a conversation in the other one");
}

void never_die_of_sigpipe() {
  struct sigaction now{};
  if (::sigaction(SIGPIPE, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL) ignore_sigpipe();
}

}  // namespace

std::string ExitStatus::describe() const { return end_in_words(code, signal, stderr_tail, "exit code ", "killed by signal "); }

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(Loop& loop, ChildSettings settings) {
  PARLANCE_TRY_DO(check_command(settings));
  never_die_of_sigpipe();
  const std::string program = settings.command.front();
  PARLANCE_TRY(folder, open_folder(settings));
  SpawnPlan plan{.programs = {},
                 .arguments = settings.command,
                 .environment = {},
                 .folder = settings.folder,
                 .folder_fd = folder.fd,
                 .stdio = {}};
  PARLANCE_TRY(environment, child_environment(settings));
  plan.environment = std::move(environment);
  plan.programs = program_candidates(program, search_path(plan.environment));

  Pipe input;
  if (settings.stdin_from == ChildSettings::Stdin::pipe) {
    PARLANCE_TRY(pipe, make_pipe());
    input = std::move(pipe);
  } else {
    input.read = Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (input.read.fd < 0) return fail(system_error("open /dev/null", errno));
  }
  PARLANCE_TRY(output, make_pipe());
  PARLANCE_TRY(errors, make_pipe());
  plan.stdio = {input.read.fd, output.write.fd, errors.write.fd};

  const auto spawned = guarded_spawn(plan);
  if (!spawned) return fail(start_error(plan, spawned.error(), program));

  std::string name = "child " + base_name(program) + "[" + std::to_string(spawned->pid) + "]";
  auto state = std::make_shared<ChildState>(loop, std::move(settings), *spawned, errors.read.release());
  state->untaken = std::make_unique<ChildStream>(loop, output.read.release(), input.write.release(), std::move(name));
  state->untaken->on_destroyed([held = std::weak_ptr(state)] {
    if (const auto of = held.lock()) of->stream = nullptr;
  });
  state->stream = state->untaken.get();
  state->watch_exit();
  state->pump_stderr();
  return std::make_unique<OwnedChild>(std::move(state));
}

}  // namespace parlance

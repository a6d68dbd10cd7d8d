// SPDX-License-Identifier: Apache-2.0
// Helpers for tests of child processes: starting, reading with a deadline, and watching other processes.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/async/loop.h"
#include "parlance/process/child_process.h"

namespace parlance::test {

using namespace std::chrono_literals;

inline constexpr auto long_enough = 60s;  // never reached by a passing test

class ChildProcessTest : public testing::Test {
 protected:
  template <class T>
  T get(Task<T> task) {
    std::optional<T> value;
    get(keep(std::move(task), value));
    return *std::move(value);
  }
  void get(Task<void> task);  // throws after too long a silence

  // Runs the loop until the condition holds after a turn. Throws after `long_enough`, like the functions below. A condition that
  // runs the loop itself must look at the state behind that.
  void until(const std::function<bool()>& condition, std::string_view what);
  // The same for a file, also after each change of the file. Its folder exists.
  void until_file(const std::string& path, const std::function<bool()>& condition, std::string_view what);
  // For answers of other programs and for /proc, whose changes are no event of this process: looks again after a pause.
  void until_observed(const std::function<bool()>& condition, std::string_view what);
  // Waits for the end of all found processes until `find` returns none.
  static void until_ended(const std::function<std::vector<pid_t>()>& find);

  std::unique_ptr<ChildProcess> start(ChildSettings settings);
  std::unique_ptr<ChildProcess> shell(std::string script);
  Error start_error(ChildSettings settings);

  std::string read_all(ByteStream& stream);
  std::string read_line(ByteStream& stream);
  std::string output_of(ChildSettings settings);

  Loop loop;

 private:
  template <class T>
  static Task<void> keep(Task<T> task, std::optional<T>& value) {
    value.emplace(co_await std::move(task));
  }
};

// A process, possibly not our child.
class Watched {
 public:
  explicit Watched(pid_t pid);
  Watched(Watched&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  ~Watched();
  bool runs() const { return !ends_within(0ms); }
  bool ends_within(std::chrono::milliseconds time = long_enough) const;

 private:
  int fd_;
};

std::size_t open_descriptors();
bool have_children();

}  // namespace parlance::test

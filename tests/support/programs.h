// SPDX-License-Identifier: Apache-2.0
// Tests of our programs as processes: the binary of this build, in a folder of the test, without the tester's own settings. All
// started programs end with the test.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/async/scope.h"
#include "parlance/codec/json/value.h"
#include "tests/support/child_process_fixture.h"

namespace parlance::test {

using Words = std::vector<std::string>;
using Variables = std::vector<std::pair<std::string, std::string>>;

// parlance of this build, or of the folder PARLANCE_PROGRAMS, such as programs of another architecture.
std::string parlance_program();

std::string read_file(const std::string& path);
void write_file(const std::string& path, std::string_view text);
unsigned mode_of(const std::string& path);
json::Value parsed(std::string_view text);  // throws
// The value at a path of names and indices; a null value if absent.
json::Value at(const json::Value& value, std::initializer_list<std::string_view> path);
std::string text_at(const json::Value& value, std::initializer_list<std::string_view> path);

// The end of a program, and its whole output.
struct Finished {
  int code = -1;
  int signal = 0;
  std::string out{};
  std::string errors{};
};

// A program that keeps running; its output is kept by line.
class Program {
 public:
  Program(Loop& loop, ChildSettings settings);
  ChildProcess& child() { return *child_; }
  ByteStream& stream() { return *stream_; }
  bool ended() const { return child_->exit_status().has_value(); }

  std::vector<std::string> lines;
  std::string errors;

 private:
  Task<void> read_lines();
  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<ByteStream> stream_;
  Scope scope_;  // goes first
};

class ProgramTest : public ChildProcessTest {
 protected:
  ProgramTest();
  ~ProgramTest() override;

  const std::string& folder() const { return folder_; }
  std::string path(std::string_view name) const { return folder_ + "/" + std::string(name); }

  // Started in the test's folder, which is its home too.
  ChildSettings settings_for(Words command, Variables set = {}) const;
  static Words with_program(Words words);

  std::unique_ptr<Program> launch(Words command, Variables set = {});
  void type(Program& program, std::string_view text);  // fails the test unless the program reads the text

  // To its end.
  Finished run(Words command, std::string_view input = "", Variables set = {});
  Finished parlance(Words words, std::string_view input = "", Variables set = {});

 private:
  std::string folder_;
};

}  // namespace parlance::test

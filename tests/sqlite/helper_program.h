// SPDX-License-Identifier: Apache-2.0
// sqlite-helper as a process, spoken to in lines; and databases made without any of its protection.
#pragma once

#include <signal.h>
#include <string>
#include <vector>

#include <sqlite3.h>

#include "parlance/base/text.h"
#include "tests/support/programs.h"

namespace parlance::test {

inline std::string helper_program() { return parlance_program().replace(parlance_program().rfind('/') + 1, 8, "sqlite-helper"); }

class HelperTest : public ProgramTest {
 protected:
  // As any other program would.
  void raw(const std::string& sql, const std::string& name = "t.db") {
    sqlite3* handle = nullptr;
    char* why = nullptr;
    ASSERT_EQ(sqlite3_open(path(name).c_str(), &handle), SQLITE_OK);
    sqlite3_busy_timeout(handle, 60'000);  // the helper may still be letting go of what it has just answered
    EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &why), SQLITE_OK) << sql << ": " << (why == nullptr ? "" : why);
    sqlite3_free(why);
    sqlite3_close(handle);
  }
  std::int64_t count(const std::string& sql, const std::string& name = "t.db") {
    sqlite3* handle = nullptr;
    sqlite3_stmt* statement = nullptr;
    sqlite3_open(path(name).c_str(), &handle);
    sqlite3_prepare_v2(handle, sql.c_str(), -1, &statement, nullptr);
    const std::int64_t found = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_finalize(statement);
    sqlite3_close(handle);
    return found;
  }

  Words helper(Words flags = {}) const {
    flags.insert(flags.begin(), helper_program());
    return flags;
  }
  // All lines at once, then the end of the input.
  std::vector<std::string> ask(const std::vector<std::string>& lines, Words flags = {}) {
    std::string input;
    for (const std::string& line : lines) input += line + "\n";
    return lines_of(run(helper(std::move(flags)), input));
  }
  std::vector<std::string> lines_of(const Finished& finished) {
    EXPECT_EQ(finished.code, 0) << finished.errors;
    std::vector<std::string> lines;
    std::size_t from = 0;
    for (std::size_t end = 0; (end = finished.out.find('\n', from)) != std::string::npos; from = end + 1)
      lines.push_back(finished.out.substr(from, end - from));
    EXPECT_EQ(from, finished.out.size()) << "the last line ends as well";
    return lines;
  }

  void begin(Words flags = {}) { program = launch(helper(std::move(flags))); }
  void say(std::string_view line) { type(*program, std::string(line) + "\n"); }
  // The next answer that has not been taken.
  std::string receive() {
    until([&] { return program->lines.size() > taken || program->ended(); }, "an answer");
    return program->lines.size() > taken ? program->lines[taken++] : "nothing: " + program->errors;
  }
  std::string say_and_hear(std::string_view line) {
    say(line);
    return receive();
  }
  ExitStatus end() {
    program->stream().close_output();
    return get(program->child().wait());
  }

  static std::string with(std::string text, std::string_view what, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) text.replace(at, what.size(), by);
    return text;
  }

  std::unique_ptr<Program> program;
  std::size_t taken = 0;
};

}  // namespace parlance::test

// SPDX-License-Identifier: Apache-2.0
// What becomes of log lines when nobody reads stderr.
#include <fcntl.h>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "parlance/base/log.h"

namespace parlance {
namespace {

// While it lives, stderr is a pipe that the test reads when it likes.
class LogNobodyReads : public testing::Test {
 protected:
  LogNobodyReads() {
    EXPECT_EQ(::pipe2(pipe_, O_CLOEXEC | O_NONBLOCK), 0);
    kept_ = ::dup(STDERR_FILENO);
    ::dup2(pipe_[1], STDERR_FILENO);
  }
  ~LogNobodyReads() override {
    ::dup2(kept_, STDERR_FILENO);
    for (const int fd : {kept_, pipe_[0], pipe_[1]}) ::close(fd);
    set_log({});
  }
  std::string written() {
    std::string all;
    char buffer[4096];
    for (ssize_t n = 0; (n = ::read(pipe_[0], buffer, sizeof buffer)) > 0;) all.append(buffer, static_cast<std::size_t>(n));
    return all;
  }
  void fill() {
    const std::string much(4096, 'x');
    while (::write(pipe_[1], much.data(), much.size()) > 0) {}
  }

 private:
  int pipe_[2]{};
  int kept_ = -1;
};

TEST_F(LogNobodyReads, NobodyIsHeldUpByAReaderWhoDoesNotReadAndWhatWasLostIsCounted) {
  fill();
  for (int i = 0; i < 3; ++i) log(LogLevel::error, "lost");
  written();
  log(LogLevel::error, "heard");
  EXPECT_EQ(written(), "parlance: warn: log lines were lost: nobody read them lines=3\nparlance: error: heard\n");
  log(LogLevel::error, "again");
  EXPECT_EQ(written(), "parlance: error: again\n") << "it is said once";
}

TEST_F(LogNobodyReads, AsJsonTheLossIsADocumentOfItsOwn) {
  set_log({.json = true});
  fill();
  log(LogLevel::error, "lost");
  written();
  log(LogLevel::error, "heard");
  EXPECT_TRUE(written().starts_with(
      "{\"level\":\"warn\",\"message\":\"log lines were lost: nobody read them\",\"lines\":\"1\"}\n{\"time\":"));
}

}  // namespace
}  // namespace parlance

// SPDX-License-Identifier: Apache-2.0
// Log lines without a reader of stderr.
#include <fcntl.h>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "parlance/base/log.h"

namespace parlance {
namespace {

// Replaces stderr with a pipe to the test.
class LogUnread : public testing::Test {
 protected:
  LogUnread() {
    EXPECT_EQ(::pipe2(pipe_, O_CLOEXEC | O_NONBLOCK), 0);
    kept_ = ::dup(STDERR_FILENO);
    ::dup2(pipe_[1], STDERR_FILENO);
  }
  ~LogUnread() override {
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

TEST_F(LogUnread, APipeWithoutReaderBlocksNoLogCallAndLostLinesAreCounted) {
  fill();
  for (int i = 0; i < 3; ++i) log(LogLevel::error, "lost");
  written();
  log(LogLevel::error, "logged");
  EXPECT_EQ(written(), "parlance: warn: log lines were lost: nobody read them lines=3\nparlance: error: logged\n");
  log(LogLevel::error, "again");
  EXPECT_EQ(written(), "parlance: error: again\n") << "the loss is reported once";
}

TEST_F(LogUnread, AsJsonTheLossIsADocumentOfItsOwn) {
  set_log({.json = true});
  fill();
  log(LogLevel::error, "lost");
  written();
  log(LogLevel::error, "logged");
  EXPECT_TRUE(written().starts_with(
      "{\"level\":\"warn\",\"message\":\"log lines were lost: nobody read them\",\"lines\":\"1\"}\n{\"time\":"));
}

}  // namespace
}  // namespace parlance

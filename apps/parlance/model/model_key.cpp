// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/model/model_key.h"

#include <cstdio>
#include <termios.h>
#include <unistd.h>

#include "parlance/base/text.h"
#include "parlance/transport/whole_file.h"

namespace parlance::app {
namespace {

constexpr std::size_t longest_line = 4096;

class NoEcho {
 public:
  NoEcho() {
    is_on_ = ::tcgetattr(STDIN_FILENO, &before_) == 0;
    termios wanted = before_;
    wanted.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    is_on_ = is_on_ && ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &wanted) == 0;
  }
  NoEcho(const NoEcho&) = delete;
  NoEcho& operator=(const NoEcho&) = delete;
  ~NoEcho() {
    if (is_on_) ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
  }
  bool is_on() const { return is_on_; }

 private:
  termios before_{};
  bool is_on_ = false;
};

Result<std::string> ask_on_terminal(const std::string& vendor, bool needed) {
  std::string line;
  {
    const NoEcho quiet;
    if (!quiet.is_on())
      return fail(Errc::failed, "the terminal would display the key: pass it with --key-stdin or --key-env NAME");
    std::fprintf(stderr, "Key of %s (not displayed%s): ", vendor.c_str(), needed ? "" : "; empty: none");
    std::fflush(stderr);
    char c = 0;
    while (line.size() < longest_line && ::read(STDIN_FILENO, &c, 1) == 1 && c != '\n') line += c;
  }
  std::fputc('\n', stderr);
  return std::string(trim(line));
}

}  // namespace

Result<std::string> read_key(bool from_stdin, bool needed, const std::string& vendor) {
  const std::string ways = "pass it with --key-stdin or --key-env NAME, or run the command in a terminal";
  if (from_stdin) {
    PARLANCE_TRY(text, read_whole_file("-"));
    if (!trim(text).empty()) return std::string(trim(text));
    return fail(Errc::invalid_params, "--key-stdin: stdin is empty: write the key to it, or " + ways);
  }
  std::string key;
  if (::isatty(STDIN_FILENO) == 1) {
    PARLANCE_TRY(typed, ask_on_terminal(vendor, needed));
    key = std::move(typed);
  }
  if (needed && key.empty()) return fail(Errc::invalid_params, vendor + " answers only with a key: " + ways);
  return key;
}

}  // namespace parlance::app

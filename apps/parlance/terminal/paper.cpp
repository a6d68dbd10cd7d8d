// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/terminal/paper.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <sys/ioctl.h>
#include <system_error>
#include <unistd.h>

namespace parlance::app {

StandardPaper::StandardPaper()
    : text_in_terminal_(::isatty(STDOUT_FILENO) != 0), notes_in_terminal_(::isatty(STDERR_FILENO) != 0) {}

void StandardPaper::text(std::string_view piece) {
  const bool is_written = std::fwrite(piece.data(), 1, piece.size(), stdout) == piece.size() && std::fflush(stdout) == 0;
  if (!is_written && failure_.empty()) failure_ = std::generic_category().message(errno);
}
void StandardPaper::note(std::string_view line) { std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data()); }
std::size_t StandardPaper::text_columns() const {
  winsize size{};
  return text_in_terminal_ && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool is_dumb_terminal() {
  const char* const terminal = std::getenv("TERM");
  return terminal == nullptr || *terminal == '\0' || std::string_view(terminal) == "dumb";
}
bool wants_colours() {
  const char* const forbidden = std::getenv("NO_COLOR");
  return (forbidden == nullptr || *forbidden == '\0') && !is_dumb_terminal();
}

}  // namespace parlance::app

#include "apps/parlance/supervise/ready.h"

#include <cerrno>
#include <sys/wait.h>
#include <unistd.h>

#include "parlance/transport/private_file.h"

namespace parlance::app {

Result<void> write_ready_file(const std::string& path, const std::string& text) { return write_private_file(path, text); }

Result<void> remove_ready_file(const std::string& path) {
  if (path.empty() || ::unlink(path.c_str()) == 0 || errno == ENOENT) return {};
  return std::unexpected(system_error("--ready-file: " + path + ": what is there cannot be taken away", errno));
}

void open_in_browser(const std::string& url) {
  // Twice forked, so that the browser belongs to process 1 and is nobody's zombie here.
  const pid_t child = ::fork();
  if (child == 0) {
    if (::fork() != 0) ::_exit(0);
    ::execlp("xdg-open", "xdg-open", url.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  if (child > 0) ::waitpid(child, nullptr, 0);
}

}  // namespace parlance::app

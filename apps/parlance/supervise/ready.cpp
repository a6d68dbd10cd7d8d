// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/supervise/ready.h"

#include <cerrno>
#include <sys/wait.h>
#include <unistd.h>

#include "parlance/base/uri.h"
#include "parlance/gateway/token_file.h"
#include "parlance/process/child_environment.h"
#include "parlance/transport/private_file.h"

namespace parlance::app {

Result<void> write_ready_file(const std::string& path, const std::string& text) { return write_private_file(path, text); }

Result<void> remove_ready_file(const std::string& path) {
  if (path.empty() || ::unlink(path.c_str()) == 0 || errno == ENOENT) return {};
  return std::unexpected(system_error("--ready-file: " + path + ": what is there cannot be taken away", errno));
}

std::string for_readers(const std::string& page_url, int descriptor, const std::string& state_folder) {
  const std::size_t secret = page_url.find("#token=");
  if (secret == std::string::npos || ::isatty(descriptor) != 0) return page_url;
  const bool is_kept = page_url.substr(secret) == "#token=" + percent_encode(gateway::kept_token(state_folder));
  return page_url.substr(0, secret) +
         (is_kept ? "  (its token is kept in " + state_folder + "/token)" : "  (with the token that was given)");
}

void open_in_browser(const std::string& url) {
  const auto variables = child_environment({});
  if (!variables) return;
  std::vector<char*> environment;
  for (const std::string& variable : *variables) environment.push_back(const_cast<char*>(variable.c_str()));
  environment.push_back(nullptr);
  char program[] = "xdg-open";
  char* const arguments[] = {program, const_cast<char*>(url.c_str()), nullptr};
  // Twice forked, so that the browser belongs to process 1 and is nobody's zombie here.
  const pid_t child = ::fork();
  if (child == 0) {
    if (::fork() != 0) ::_exit(0);
    ::execvpe(program, arguments, environment.data());
    ::_exit(127);
  }
  if (child > 0) ::waitpid(child, nullptr, 0);
}

}  // namespace parlance::app

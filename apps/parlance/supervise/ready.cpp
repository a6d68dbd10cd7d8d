// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/supervise/ready.h"

#include <cerrno>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

#include "parlance/base/log.h"
#include "parlance/base/secret.h"
#include "parlance/base/uri.h"
#include "parlance/codec/json/value.h"
#include "parlance/gateway/token_file.h"
#include "parlance/process/child_environment.h"
#include "parlance/transport/private_file.h"

namespace parlance::app {

Result<void> write_ready_file(const std::string& path, const std::string& text) {
  const auto written = write_private_file(path, text);
  if (!written) return std::unexpected(Error(written.error()).in("--ready-file"));
  return {};
}

Result<void> prepare_ready_file(const std::string& path) {
  if (path.empty()) return {};
  if (::unlink(path.c_str()) != 0 && errno != ENOENT)
    return std::unexpected(system_error("--ready-file " + path + ": the earlier file cannot be removed", errno));
  const std::string beside = path + ".probe";  // a script may wait for the file itself
  PARLANCE_TRY_DO(write_ready_file(beside, ""));
  ::unlink(beside.c_str());
  return {};
}

std::string for_readers(const std::string& page_url, int descriptor, const std::string& state_folder) {
  const std::size_t secret = page_url.find("#token=");
  if (secret == std::string::npos || ::isatty(descriptor) != 0) return page_url;
  const bool is_kept = page_url.substr(secret) == "#token=" + percent_encode(gateway::kept_token(state_folder));
  return page_url.substr(0, secret) +
         (is_kept ? "  (its token is kept in " + state_folder + "/token)" : "  (with the token that was given)");
}

namespace {

// The browser reads the page once. Sandboxed browsers (snap) read neither hidden folders nor /tmp, so the page is in HOME.
constexpr const char* open_and_remove =
    R"(xdg-open "$1" & trap '' INT HUP TERM; exec </dev/null >/dev/null 2>&1; sleep 60; rm -f -- "$1")";

Result<std::string> make_page_to(const std::string& url) {
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return fail(Errc::failed, "HOME names no folder: open the printed address yourself");
  std::string script = json::to_text(json::Value(url));
  for (std::size_t at = 0; (at = script.find('<', at)) != std::string::npos;) script.replace(at, 1, "\\u003c");
  std::string path = std::string(home) + "/" + make_id("parlance-open-") + ".html";
  PARLANCE_TRY_DO(write_private_file(
      path, "<!doctype html><meta charset=\"utf-8\"><title>parlance</title><script>location.replace(" + script + ")</script>\n"));
  return path;
}

}  // namespace

void open_in_browser(const std::string& url) {
  const auto variables = child_environment({});
  auto page = make_page_to(url);
  if (!variables || !page)
    return log(LogLevel::warn, "the browser is not opened", {{"why", page ? variables.error().message : page.error().message}});
  std::vector<char*> environment;
  for (const std::string& variable : *variables) environment.push_back(const_cast<char*>(variable.c_str()));
  environment.push_back(nullptr);
  char shell[] = "/bin/sh";
  char option[] = "-c";
  char* const arguments[] = {shell, option, const_cast<char*>(open_and_remove), shell, page->data(), nullptr};
  // Two forks, so that process 1 and not this process waits for the shell.
  const pid_t child = ::fork();
  if (child == 0) {
    if (::fork() != 0) ::_exit(0);
    ::execve(shell, arguments, environment.data());
    ::_exit(127);
  }
  if (child > 0) ::waitpid(child, nullptr, 0);
}

}  // namespace parlance::app

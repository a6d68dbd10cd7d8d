// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/terminal/past_lines.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

#include "parlance/codec/json/value.h"
#include "parlance/transport/private_file.h"
#include "parlance/workspace/fd.h"

namespace parlance::app {
namespace {

std::string as_line(std::string_view text) { return json::to_text(json::Value(std::string(text))) + '\n'; }

}  // namespace

std::vector<std::string> PastLines::read() const {
  std::vector<std::string> all;
  std::ifstream file(file_);
  for (std::string line; std::getline(file, line);) {
    const json::Value value = json::parse_or_null(line);
    if (const std::string* text = value.text()) all.push_back(*text);
  }
  if (all.size() <= most) return all;
  all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(most));
  std::string text;
  for (const std::string& line : all) text += as_line(line);
  static_cast<void>(write_private_file(file_, text));  // after a failure, the next read shortens the file
  return all;
}

Result<void> PastLines::add(std::string_view text) {
  if (file_.empty()) return {};
  const std::string line = as_line(text);
  const workspace::Fd file(::open(file_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file || ::write(file.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    return fail(Errc::failed, file_ + ": " + std::strerror(errno));
  return {};
}

}  // namespace parlance::app

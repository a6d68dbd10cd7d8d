// SPDX-License-Identifier: Apache-2.0
// FileTools::search: text or expressions, line by line. Expression and file are untrusted: the matcher's time grows only with the
// line (base/regex), and the work for each line is bounded.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fnmatch.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

#include "parlance/base/clock.h"
#include "parlance/base/regex/pattern.h"
#include "parlance/base/utf8.h"
#include "parlance/workspace/file_tools.h"
#include "parlance/workspace/file_walk.h"
#include "parlance/workspace/limits.h"

namespace parlance::workspace {
namespace {

constexpr std::size_t matched_line_bytes = 64 << 10;  // of a longer line the rest is not looked at: minified files
constexpr std::size_t line_work =
    50'000'000;  // for an expression on one line: half a second; real expressions need at most 64'000

class Matcher {
 public:
  static Result<Matcher> make(const SearchFiles& request) {
    const regex::Options options{.syntax = regex::Syntax::grep, .ignore_case = request.ignore_case};
    Matcher matcher;
    if (!request.regex && !request.ignore_case) {
      matcher.text_ = request.pattern;
      return matcher;
    }
    auto pattern =
        request.regex ? regex::Pattern::compile(request.pattern, options) : regex::Pattern::of_text(request.pattern, options);
    if (!pattern) return std::unexpected(std::move(pattern).error().in("the pattern is no expression"));
    matcher.expression_.emplace(*pattern);
    return matcher;
  }

  bool fits(std::string_view line) {
    if (!expression_) return line.find(text_) != std::string_view::npos;
    std::size_t work = line_work;
    const bool yes = expression_->found_in(line, work);
    gave_up_ = gave_up_ || work == 0;
    return yes;
  }
  bool gave_up() const { return gave_up_; }  // on a line: further matches are possible

 private:
  std::string text_;
  std::optional<regex::Matcher> expression_;
  bool gave_up_ = false;
};

// False when the search is to end.
bool search_file(int fd, const std::string& path, Matcher& matcher, TimePoint deadline, SearchResult& result) {
  std::string buffer(64 << 10, '\0');
  std::string line;
  std::uint64_t number = 1;
  const auto end_line = [&] {
    std::string_view text = line;
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (matcher.fits(text)) {
      if (result.hits.size() >= limits::search_hits) {
        result.cut = true;
        return false;
      }
      result.hits.push_back(
          {.path = to_valid_utf8(path), .line = number, .text = to_valid_utf8(utf8_prefix(text, limits::search_line_bytes))});
    }
    line.clear();
    ++number;
    if ((number % 64 == 0 || matcher.gave_up()) && Clock::now() > deadline) result.cut = true;
    return !result.cut;
  };
  for (bool first = true;; first = false) {
    const ssize_t size = ::read(fd, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) result.unread.add(path, errno);
    if (size <= 0) break;
    std::string_view part(buffer.data(), static_cast<std::size_t>(size));
    if (first && part.substr(0, 8192).find('\0') != std::string_view::npos) return true;  // no text
    for (;;) {
      const auto newline = part.find('\n');
      const std::string_view piece = part.substr(0, newline);
      if (line.size() < matched_line_bytes) line += piece.substr(0, matched_line_bytes - line.size());
      if (newline == std::string_view::npos) break;
      if (!end_line()) return false;
      part.remove_prefix(newline + 1);
    }
    if (Clock::now() > deadline) {
      result.cut = true;
      return false;
    }
  }
  return line.empty() || end_line();
}

}  // namespace

Result<SearchResult> FileTools::search(const SearchFiles& request, const ResolvedPath& path) const {
  if (request.pattern.empty()) return fail(Errc::invalid_params, "the pattern is empty");
  if (request.pattern.size() > limits::search_pattern_bytes) return fail(Errc::invalid_params, "the pattern is too long");
  PARLANCE_TRY(matcher, Matcher::make(request));
  const TimePoint deadline = Clock::now() + limits::search_time;
  SearchResult result;
  PARLANCE_TRY(start, guard_.open_anywhere(path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  struct stat about{};
  if (::fstat(start.get(), &about) == 0 && S_ISREG(about.st_mode)) {
    result.files = 1;
    search_file(start.get(), path.inside ? path.relative : path.absolute, matcher, deadline, result);
    result.cut = result.cut || matcher.gave_up();
    return result;
  }
  const std::string prefix = !path.inside ? path.absolute + "/" : path.relative == "." ? "" : path.relative + "/";
  Unread folders;
  walk_folder(start.get(), true, folders, [&](const WalkEntry& entry) {
    result.cut = Clock::now() > deadline;
    if (result.cut) return Walk::end;
    if (!entry.is_file) return Walk::on;
    if (!request.name.empty() && ::fnmatch(request.name.c_str(), entry.name.c_str(), 0) != 0) return Walk::on;
    if (result.files >= limits::search_files) {
      result.cut = true;
      return Walk::end;
    }
    const Fd file(::openat(entry.folder, entry.name.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC));
    if (!file) result.unread.add(prefix + entry.path, errno);
    if (!file || ::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) return Walk::on;
    ++result.files;
    return search_file(file.get(), prefix + entry.path, matcher, deadline, result) ? Walk::on : Walk::end;
  });
  if (result.unread.count == 0 && folders.count != 0) result.unread.first = prefix + folders.first;
  result.unread.count += folders.count;
  result.cut = result.cut || matcher.gave_up();
  return result;
}

}  // namespace parlance::workspace

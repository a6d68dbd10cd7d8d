// FileTools::search: text or POSIX extended expressions, line by line.
//
// Not std::regex: it backtracks without bound and recurses with the length of the line, and both the pattern and the file come
// from outside. regcomp() of the C library builds an automaton; what could still explode (back references, stacked repetitions)
// is refused before it sees the pattern.
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fnmatch.h>
#include <memory>
#include <regex.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/utf8.h"
#include "hub/file_tools.h"
#include "hub/file_walk.h"

namespace parlance::hub {
namespace {

constexpr std::size_t matched_line_bytes = 64 << 10;    // of a longer line the rest is not looked at: minified files
constexpr std::size_t expression_line_bytes = 4 << 10;  // expressions cost the square of the line at worst
constexpr std::uint64_t most_repetitions = 1000;        // {n,m}: their product is what the automaton has to hold

// \d and (?: are what models write; the C library knows neither. The rest is refused with a reason or passes.
Result<std::string> posix_pattern(std::string_view pattern) {
  std::string out;
  std::uint64_t repetitions = 1;
  bool in_set = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\' && i + 1 < pattern.size()) {
      const char next = pattern[++i];
      if (std::isdigit(static_cast<unsigned char>(next)) != 0 && !in_set)
        return fail(Errc::invalid_params, "back references are not supported: \\" + std::string(1, next));
      if (next == 'd') out += in_set ? "0-9" : "[0-9]";
      else if (next == 'D' && !in_set) out += "[^0-9]";
      else if (next == 't') out += '\t';
      else if (in_set && next == 'w') out += "[:alnum:]_";
      else if (in_set && next == 's') out += "[:space:]";
      else if (in_set) out += next;
      else (out += '\\') += next;
      continue;
    }
    if (in_set) {
      in_set = c != ']';
    } else if (c == '[') {
      in_set = true;
      out += c;
      if (i + 1 < pattern.size() && pattern[i + 1] == '^') out += pattern[++i];
      if (i + 1 < pattern.size() && pattern[i + 1] == ']') out += pattern[++i];
      continue;
    } else if (c == '(' && pattern.substr(i + 1).starts_with("?:")) {
      i += 2;
    } else if (c == '(' && pattern.substr(i + 1).starts_with("?")) {
      return fail(Errc::invalid_params, "this kind of group is not supported: (?");
    } else if (c == '{') {
      std::uint64_t most = 0;
      for (std::size_t at = i + 1; at < pattern.size() && pattern[at] != '}'; ++at) {
        if (pattern[at] == ',') most = 0;
        else if (std::isdigit(static_cast<unsigned char>(pattern[at])) != 0)
          most = std::min<std::uint64_t>(most * 10 + static_cast<std::uint64_t>(pattern[at] - '0'), 100000);
      }
      repetitions *= std::max<std::uint64_t>(most, 1);
      if (repetitions > most_repetitions)
        return fail(Errc::invalid_params, "the repetitions multiply to more than " + std::to_string(most_repetitions));
    }
    out += c;
  }
  return out;
}

class Matcher {
 public:
  static Result<std::unique_ptr<Matcher>> make(const SearchFiles& request) {
    auto matcher = std::unique_ptr<Matcher>(new Matcher);
    matcher->ignore_case_ = request.ignore_case;
    if (!request.regex) {
      matcher->text_ = request.ignore_case ? to_lower(request.pattern) : request.pattern;
      return matcher;
    }
    PARLANCE_TRY(pattern, posix_pattern(request.pattern));
    const int code =
        ::regcomp(&matcher->regex_, pattern.c_str(), REG_EXTENDED | REG_NOSUB | (request.ignore_case ? REG_ICASE : 0));
    if (code != 0) {
      std::string why(200, '\0');
      why.resize(::regerror(code, &matcher->regex_, why.data(), why.size()) - 1);
      return fail(Errc::invalid_params, "the pattern is no expression: " + why);
    }
    matcher->compiled_ = true;
    return matcher;
  }
  ~Matcher() {
    if (compiled_) ::regfree(&regex_);
  }
  Matcher(const Matcher&) = delete;
  Matcher& operator=(const Matcher&) = delete;

  bool fits(std::string_view line) {
    if (compiled_) {
      line_.assign(line.substr(0, expression_line_bytes));
      return ::regexec(&regex_, line_.c_str(), 0, nullptr, 0) == 0;
    }
    return (ignore_case_ ? std::string_view(line_ = to_lower(line)) : line).find(text_) != std::string_view::npos;
  }

 private:
  Matcher() = default;
  std::string text_;
  bool ignore_case_ = false;
  bool compiled_ = false;
  regex_t regex_{};
  std::string line_;
};

// False when the search is to end.
bool search_file(int fd, const std::string& path, Matcher& matcher, TimePoint deadline, SearchResult& result) {
  std::string buffer(64 << 10, '\0');
  std::string line;
  std::uint64_t number = 1;
  const auto end_line = [&] {
    if (matcher.fits(line)) {
      if (result.hits.size() >= limits::search_hits) {
        result.cut = true;
        return false;
      }
      std::string_view shown = utf8_prefix(line, limits::search_line_bytes);
      if (shown.ends_with('\r')) shown.remove_suffix(1);
      result.hits.push_back({.path = to_valid_utf8(path), .line = number, .text = to_valid_utf8(shown)});
    }
    line.clear();
    ++number;
    if (number % 64 == 0 && Clock::now() > deadline) result.cut = true;
    return !result.cut;
  };
  for (bool first = true;; first = false) {
    const ssize_t size = ::read(fd, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
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

Result<SearchResult> FileTools::search(const SearchFiles& request) const {
  if (request.pattern.empty()) return fail(Errc::invalid_params, "the pattern is empty");
  if (request.pattern.size() > limits::search_pattern_bytes) return fail(Errc::invalid_params, "the pattern is too long");
  PARLANCE_TRY(matcher, Matcher::make(request));
  const ResolvedPath path = guard_.resolve(request.path);
  const TimePoint deadline = Clock::now() + limits::search_time;
  SearchResult result;
  PARLANCE_TRY(start, guard_.open_at(path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  struct stat about{};
  if (::fstat(start.get(), &about) == 0 && S_ISREG(about.st_mode)) {
    result.files = 1;
    search_file(start.get(), path.relative, *matcher, deadline, result);
    return result;
  }
  const std::string prefix = path.relative == "." ? "" : path.relative + "/";
  walk_folder(start.get(), true, [&](const WalkEntry& entry) {
    if (!entry.is_file) return true;
    if (!request.name.empty() && ::fnmatch(request.name.c_str(), entry.name.c_str(), 0) != 0) return true;
    if (result.files >= limits::search_files) {
      result.cut = true;
      return false;
    }
    const Fd file(::openat(entry.folder, entry.name.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC));
    if (!file || ::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) return true;
    ++result.files;
    return search_file(file.get(), prefix + entry.path, *matcher, deadline, result);
  });
  return result;
}

}  // namespace parlance::hub

// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/database/databases.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

#include "parlance/base/text.h"
#include "parlance/server/database/limits.h"

namespace parlance::server {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view database_mark("SQLite format 3\0", 16);  // the first bytes of each database
constexpr std::array<std::string_view, 4> database_endings{".db", ".sqlite", ".sqlite3", ".db3"};
constexpr std::array<std::string_view, 5> skipped_folders{"node_modules", "build", "dist", "target", "venv"};

enum class Content { database, nothing, other, unreadable };

// Opens only regular files, so it never blocks: opening a pipe without a writer would wait.
Content content_of(const std::string& path) {
  struct stat about{};
  if (::stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return Content::other;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return Content::unreadable;
  std::array<char, database_mark.size()> head{};
  const ssize_t bytes = ::pread(fd, head.data(), head.size(), 0);
  ::close(fd);
  if (bytes == 0) return Content::nothing;
  return bytes == static_cast<ssize_t>(head.size()) && std::string_view(head.data(), head.size()) == database_mark
             ? Content::database
             : Content::other;
}

std::string without_links(const std::string& path) {
  std::error_code error;
  return fs::canonical(path, error).string();
}

// Walks folders up to a limit of entries and of found databases.
class Search {
 public:
  void add(const std::string& path, bool named) {
    std::error_code error;
    const std::string real = without_links(path);
    if (real.empty() || !seen_.insert(real).second || content_of(real) != Content::database) return;
    found_.push_back({.path = real, .bytes = fs::file_size(real, error), .named = named});
  }

  void walk(const std::string& folder) {
    std::error_code error;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
      if (++looked_at_ > limits::database_entries || found_.size() >= limits::databases_offered) return;
      const std::string name = at->path().filename().string();
      if (at->is_directory(error)) {
        const bool skipped = name.starts_with('.') || std::ranges::find(skipped_folders, name) != skipped_folders.end();
        if (skipped || at.depth() + 1 >= limits::database_depth) at.disable_recursion_pending();
      } else if (std::ranges::find(database_endings, at->path().extension().string()) != database_endings.end()) {
        add(at->path().string(), false);
      }
    }
  }

  std::vector<OfferedDatabase> take() { return std::move(found_); }

 private:
  std::vector<OfferedDatabase> found_;
  std::set<std::string> seen_;
  std::size_t looked_at_ = 0;
};

}  // namespace

std::vector<OfferedDatabase> offered_databases(const std::vector<std::string>& named, const std::vector<std::string>& folders) {
  Search search;
  for (const std::string& path : named) search.add(path, true);
  for (std::size_t i = 0; i < std::min(folders.size(), limits::database_folders); ++i) search.walk(folders[i]);
  return search.take();
}

Result<std::string> judged_database(std::string_view asked, bool to_write, OwnFolder own, std::string_view own_folder) {
  const std::string path(asked);
  if (path.empty() || path.front() != '/' || path.find('\0') != std::string::npos)
    return fail(Errc::invalid_params, "\"" + path + "\" is not an absolute path; begin the path with /");
  std::error_code error;
  const std::string real = fs::canonical(path, error).string();
  if (error)
    return fail(error == std::errc::permission_denied ? Errc::denied : Errc::not_found,
                "no file " + path + ", or parlance has no access; check the path and its permissions");
  for (const std::string_view unreal : {"/proc", "/sys", "/dev"})
    if (is_within(real, unreal)) return fail(Errc::denied, real + " is not a file on a disk; name the database file");
  const bool is_own = is_within(real, without_links(std::string(own_folder)));
  if (is_own && own == OwnFolder::closed)
    return fail(Errc::denied,
                real + " belongs to parlance, and only the person at its machine may open this database; name another database");
  struct stat about{};
  if (::stat(real.c_str(), &about) != 0 || !S_ISREG(about.st_mode))
    return fail(Errc::denied, real + " is not a file; name the database file, not its folder");
  if (to_write && is_own)
    return fail(
        Errc::denied,
        real + " belongs to parlance and is in use, so parlance opens this database for reading only; make a copy for changes");
  switch (content_of(real)) {
    case Content::database:
    case Content::nothing: break;  // a database without tables is an empty file
    case Content::unreadable:
      return fail(Errc::denied,
                  real + ": " + std::strerror(errno) + "; give the user who runs parlance permission to read the file");
    case Content::other: return fail(Errc::failed, real + " is not an SQLite database, or is encrypted; check the path");
  }
  if (to_write && ::access(real.c_str(), W_OK) != 0)
    return fail(Errc::denied, real + ": " + std::strerror(errno) + "; the database is read-only");
  return real;
}

}  // namespace parlance::server

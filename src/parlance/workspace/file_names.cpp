// SPDX-License-Identifier: Apache-2.0
#include "parlance/workspace/file_names.h"

#include <algorithm>
#include <cctype>
#include <fcntl.h>
#include <tuple>
#include <utility>

#include "parlance/base/clock.h"
#include "parlance/base/utf8.h"
#include "parlance/workspace/fd.h"
#include "parlance/workspace/file_walk.h"
#include "parlance/workspace/ignore_rules.h"
#include "parlance/workspace/limits.h"

namespace parlance::workspace {
namespace {

constexpr int together = 4;      // the previous character matched too
constexpr int begins_name = 6;   // the match begins a component of the path
constexpr int begins_word = 3;   // … or a word in the component
constexpr int in_file_name = 2;  // behind the last slash

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

int worth(std::string_view path, std::size_t at, std::size_t last, bool follows) {
  const char before = at == 0 ? '/' : path[at - 1];
  int points = follows ? together : 0;
  if (before == '/') points += begins_name;
  else if (before == '_' || before == '-' || before == '.' || before == ' ') points += begins_word;
  return points + (at >= last ? in_file_name : 0);
}

// From `from` on, as early as can be.
std::optional<int> fit_from(std::string_view path, std::string_view typed, std::size_t from) {
  const std::size_t last = path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1;
  int points = 0;
  std::size_t next = from;
  bool first = true;
  for (const char wanted : typed) {
    std::size_t at = next;
    while (at < path.size() && lower(path[at]) != lower(wanted)) ++at;
    if (at == path.size()) return std::nullopt;
    points += worth(path, at, last, !first && at == next);
    first = false;
    next = at + 1;
  }
  return points;
}

// Generated folders, which people rarely open.
bool is_made(std::string_view folder) {
  constexpr std::string_view made[] = {"node_modules", "__pycache__", "target", "dist", "build"};
  return folder.starts_with('.') || std::ranges::find(made, folder) != std::end(made);
}

}  // namespace

std::optional<int> file_fit(std::string_view path, std::string_view typed) {
  const std::size_t name = path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1;
  const auto in_name = fit_from(path, typed, name);
  const auto anywhere = fit_from(path, typed, 0);
  return in_name && anywhere ? std::max(in_name, anywhere) : (in_name ? in_name : anywhere);
}

std::vector<std::string> best_files(const std::vector<std::string>& paths, std::string_view typed, std::size_t most) {
  struct Fitting {
    int points;
    const std::string* path;
  };
  std::vector<Fitting> fitting;
  for (const std::string& path : paths)
    if (const auto points = file_fit(path, typed)) fitting.push_back({.points = *points, .path = &path});
  const auto better = [](const Fitting& a, const Fitting& b) {
    return std::tuple(-a.points, a.path->size(), std::string_view(*a.path)) <
           std::tuple(-b.points, b.path->size(), std::string_view(*b.path));
  };
  const std::size_t count = std::min(most, fitting.size());
  std::ranges::partial_sort(fitting, fitting.begin() + static_cast<std::ptrdiff_t>(count), better);
  std::vector<std::string> best;
  for (std::size_t i = 0; i < count; ++i) best.push_back(*fitting[i].path);
  return best;
}

Result<std::shared_ptr<const FileNames::Listed>> FileNames::list(const LookedIn& where) {
  auto listed = std::make_shared<Listed>();
  const TimePoint deadline = Clock::now() + limits::file_names_time;
  for (const std::string& folder : where.folders) {
    const bool first = &folder == &where.folders.front();
    const Fd root(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (root.get() < 0 && first) return fail(Errc::not_found, "no such folder: " + folder);
    if (root.get() < 0) continue;
    IgnoreFiles ignored(folder, where.excluded);
    Unread unread;  // offered names may miss some
    walk_folder(root.get(), true, unread, [&](const WalkEntry& entry) {
      listed->all = listed->paths.size() < limits::search_files && Clock::now() < deadline;
      if (!listed->all) return Walk::end;
      if (entry.is_folder && is_made(entry.name)) return Walk::past;
      if (ignored.ignores(entry.folder, entry.path, entry.name, entry.is_folder)) return Walk::past;
      if (entry.is_file && is_valid_utf8(entry.path))  // a page can name no other
        listed->paths.push_back(first ? entry.path : folder + "/" + entry.path);
      return Walk::on;
    });
  }
  return std::shared_ptr<const Listed>(std::move(listed));
}

// Runs one search at a time: later keystrokes wait for the same list.
Task<Result<void>> FileNames::look(const LookedIn& where) {
  while (looking_) co_await looked_.wait();
  if (where == where_ && listed_ && loop_.now() - listed_at_ <= limits::file_names_kept) co_return Result<void>{};
  struct Looking {
    FileNames& names;
    explicit Looking(FileNames& of) : names(of) { names.looking_ = true; }
    ~Looking() {
      names.looking_ = false;
      names.looked_.notify_all();
    }
  };
  const Looking looking(*this);
  PARLANCE_CO_TRY(fresh, co_await worker_->run([where] { return list(where); }));
  where_ = where;
  listed_ = std::move(fresh);
  listed_at_ = loop_.now();
  co_return Result<void>{};
}

Task<Result<FileNames::Found>> FileNames::find(LookedIn where, std::string typed) {
  if (!worker_) worker_ = std::make_unique<Worker>(loop_, "file names");
  PARLANCE_CO_TRY_DO(co_await look(where));
  co_return co_await worker_->run([listed = listed_, typed = std::move(typed)]() -> Result<Found> {
    return Found{.paths = best_files(listed->paths, typed, limits::file_names_found), .all = listed->all};
  });
}

}  // namespace parlance::workspace

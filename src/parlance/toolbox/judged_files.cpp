// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/judged_files.h"

#include <algorithm>
#include <filesystem>

#include "parlance/hub/conversation/session_setup.h"

namespace parlance::toolbox {
namespace {

bool names_a_place_in(const std::string& folder, const std::filesystem::path& path) {
  const std::filesystem::path below = path.lexically_relative(folder);
  return !below.empty() && *below.begin() != "..";
}

Result<FoundFile> find_in(const std::string& folder, std::string_view path) {
  PARLANCE_TRY(guard, workspace::PathGuard::open_real(folder));
  workspace::ResolvedPath found = guard.resolve(path);
  return FoundFile{.files = workspace::FileTools(std::move(guard)), .path = std::move(found)};
}

}  // namespace

Folders folders_of(const hub::SessionSetup& setup) { return {.own = setup.folder, .more = setup.folders}; }

// A missing further folder contains no file. Only the conversation's own folder must exist.
Result<FoundFile> find_file(const Folders& folders, std::string_view path) {
  const std::filesystem::path named = std::filesystem::path(path).lexically_normal();
  const auto begins_in = [&](const std::string& folder) { return names_a_place_in(folder, named); };
  std::string first = folders.own;
  if (path.starts_with('/') && !begins_in(first))
    if (const auto other = std::ranges::find_if(folders.more, begins_in); other != folders.more.end()) first = *other;
  auto found = find_in(first, path);
  if (!found && first != folders.own) found = find_in(folders.own, path);
  if (!found || found->path.inside || found->path.nowhere) return found;
  const auto leads_into = [&](const std::string& folder) {
    auto there = find_in(folder, found->path.canonical);
    if (there) there->path.shown = found->path.shown;
    return there;
  };
  for (const std::string& folder : folders.more)
    if (auto there = leads_into(folder); there && there->path.inside) return there;
  if (first != folders.own)
    if (auto there = leads_into(folders.own); there && there->path.inside) return there;
  return found;
}

Task<Result<workspace::ResolvedPath>> JudgedFiles::place(Folders folders, std::string path) {
  co_return co_await look(
      std::move(folders), std::move(path),
      [](const workspace::FileTools&, const workspace::ResolvedPath& at) -> Result<workspace::ResolvedPath> { return at; });
}

hub::ToolIntent file_intent(hub::ToolKind kind, const Folders& folders, const workspace::ResolvedPath& path, std::string title) {
  hub::ToolIntent intent{.kind = kind, .title = std::move(title), .path = path.shown, .path_inside = path.inside};
  if (!path.nowhere) {
    intent.real_path = path.absolute;
    intent.canonical_path = path.canonical;
  }
  if (path.inside && path.guard != folders.own) intent.other_folder = path.guard;
  return intent;
}

// A person has to see where a link leads.
hub::ToolIntent change_intent(const Folders& folders, const workspace::FileChange& change, std::string_view named) {
  hub::ToolIntent intent = file_intent(hub::ToolKind::edit, folders, change.path, shown_path(folders, change.path));
  if (change.path.shown != change.path.absolute) intent.title += " (named " + std::string(named) + ")";
  intent.guarded = change.guarded;
  intent.diff = change.diff;
  return intent;
}

std::string shown_path(const Folders& folders, const workspace::ResolvedPath& path) {
  return path.inside && path.guard == folders.own ? path.relative : path.absolute;
}

}  // namespace parlance::toolbox

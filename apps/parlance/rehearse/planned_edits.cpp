// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/rehearse/planned_edits.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "apps/parlance/rehearse/places.h"

namespace parlance::app {
namespace fs = std::filesystem;
using namespace hub::editor;

Result<std::string> read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || fs::is_directory(path)) return fail(Errc::failed, "Cannot read " + path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Result<void> write_whole(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!(file << text).flush()) return fail(Errc::failed, "Cannot write " + path);
  return {};
}

Result<PlannedEdits> PlannedEdits::of(const std::vector<FileEdit>& edits) {
  PlannedEdits plan;
  for (const FileEdit& edit : edits) PARLANCE_TRY_DO(plan.add(edit));
  return plan;
}

Result<PlannedEdits::File*> PlannedEdits::known(const std::string& path) {
  if (const auto found = files_.find(path); found != files_.end()) return &found->second;
  File file;
  std::error_code none;
  if (fs::exists(path, none)) {
    PARLANCE_TRY(text, read_whole(path));
    file.before = std::move(text);
  }
  file.after = file.before;
  return &files_.emplace(path, std::move(file)).first->second;
}

Result<void> PlannedEdits::add(const FileEdit& edit) {
  PARLANCE_TRY(file, known(edit.path));
  if (edit.create && file->after) return fail(Errc::failed, "There is a file already: " + edit.path);
  if (edit.create) file->after.emplace();
  if (!file->after) return fail(Errc::failed, "No such file: " + edit.path);
  auto text = edited(*file->after, edit.edits);
  if (!text) return fail(Errc::failed, edit.path + ": " + text.error().message);
  file->after = *std::move(text);
  if (edit.rename_to && *edit.rename_to != edit.path) {
    PARLANCE_TRY(target, known(*edit.rename_to));
    if (target->after) return fail(Errc::failed, "There is a file already: " + *edit.rename_to);
    target->after = std::exchange(file->after, std::nullopt);
  }
  if (edit.remove) file->after.reset();
  return {};
}

const std::optional<std::string>& PlannedEdits::before(const std::string& path) const {
  static const std::optional<std::string> none;
  const auto found = files_.find(path);
  return found == files_.end() ? none : found->second.before;
}

std::string PlannedEdits::words() const {
  std::string words;
  for (const auto& [path, file] : files_) {
    if (file.before == file.after) continue;
    words += (words.empty() ? "" : "\n") + std::string(!file.before ? "create " : !file.after ? "delete " : "change ") + path;
  }
  return words.empty() ? "nothing changes" : words;
}

Result<void> PlannedEdits::make(const std::string& path, const std::optional<std::string>& text) {
  std::error_code problem;
  if (!text) {
    fs::remove(path, problem);
    return problem ? fail(Errc::failed, "Cannot delete " + path + ": " + problem.message()) : Result<void>{};
  }
  fs::create_directories(fs::path(path).parent_path(), problem);
  return write_whole(path, *text);
}

Result<void> PlannedEdits::carry_out() const {
  for (auto at = files_.begin(); at != files_.end(); ++at) {
    if (at->second.before == at->second.after) continue;
    auto made = make(at->first, at->second.after);
    if (made) continue;
    for (auto undone = files_.begin(); undone != std::next(at); ++undone)
      static_cast<void>(make(undone->first, undone->second.before));
    return made;
  }
  return {};
}

}  // namespace parlance::app

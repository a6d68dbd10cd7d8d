// SPDX-License-Identifier: Apache-2.0
#include "parlance/workspace/folder_check.h"

#include <algorithm>
#include <filesystem>

#include "parlance/hub/conversation/agent_info.h"

namespace parlance::workspace {

Task<Result<std::string>> FolderCheck::resolve(std::string folder) {
  if (folder == "~" || folder.starts_with("~/")) folder.replace(0, 1, home_);
  if (!folder.starts_with('/') || folder.find('\0') != std::string::npos)
    co_return fail(Errc::invalid_params, "the folder must be an absolute path: " + folder);
  if (!worker_) worker_ = std::make_unique<Worker>(loop_, "folders");
  Result<std::string> found = co_await worker_->run([folder = std::move(folder)]() -> Result<std::string> {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::canonical(std::filesystem::path(folder).lexically_normal(), error);
    if (error || !std::filesystem::is_directory(path, error))
      return fail(Errc::not_found, folder + (error ? ": " + error.message() : " is no folder"));
    return path.string();
  });
  co_return found;
}

namespace {

Result<std::string> offered(const hub::AgentInfo& agent, const std::string& folder) {
  const std::vector<std::string> folders = agent.folders.value_or(std::vector<std::string>{});
  if (folder.empty() && !folders.empty()) return folders.front();
  std::string path = std::filesystem::path(folder).lexically_normal().string();
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  std::string names;
  for (const std::string& known : folders) {
    const std::string below = known.ends_with('/') ? known : known + "/";
    if (path == known || path.starts_with(below)) return path;
    names += (names.empty() ? "" : ", ") + known;
  }
  return fail(Errc::invalid_params, "the runner " + *agent.runner + " does not offer " +
                                        (folder.empty() ? "any folder" : folder) + "; it offers " + names + " and what is below");
}

}  // namespace

Task<Result<std::string>> FolderCheck::resolve_for(std::vector<hub::AgentInfo> agents, std::string agent, std::string folder) {
  const auto by = std::ranges::find(agents, agent, &hub::AgentInfo::id);
  if (by == agents.end() || !by->runner) co_return co_await resolve(std::move(folder));
  co_return offered(*by, folder);
}

}  // namespace parlance::workspace

#include "parlance/workspace/folder_check.h"

#include <filesystem>

namespace parlance::workspace {

Task<Result<std::string>> FolderCheck::resolve(std::string folder) {
  if (folder == "~" || folder.starts_with("~/")) folder.replace(0, 1, home_);
  if (!folder.starts_with('/') || folder.find('\0') != std::string::npos)
    co_return fail(Errc::invalid_params, "the folder must be an absolute path: " + folder);
  if (!worker_) worker_ = std::make_unique<Worker>(loop_, "folders");
  Result<std::string> found = co_await worker_->run([folder = std::move(folder)]() -> Result<std::string> {
    std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
    if (!path.has_filename() && path != path.root_path()) path = path.parent_path();  // "/a/b/" is "/a/b"
    std::error_code error;
    if (!std::filesystem::is_directory(path, error))
      return fail(Errc::not_found, error ? path.string() + ": " + error.message() : path.string() + " is no folder");
    return path.string();
  });
  co_return found;
}

}  // namespace parlance::workspace

// SPDX-License-Identifier: Apache-2.0
// The folders that a runner offers: by their real paths, and nothing that a link leads out of. Loop thread only; outlives its tasks.
#pragma once

#include <string>
#include <vector>

#include "parlance/async/worker.h"
#include "parlance/base/result.h"

namespace parlance::workspace {

class OfferedFolders {
 public:
  // Errors: invalid_params (it is no folder, or all there is).
  static Result<std::vector<std::string>> real(const std::vector<std::string>& named);

  OfferedFolders(Loop& loop, std::vector<std::string> real) : folders_(std::move(real)), worker_(loop, "offered-folders") {}
  const std::vector<std::string>& all() const { return folders_; }
  // Its real path. Errors: denied (not offered), not_found.
  Task<Result<std::string>> find(std::string folder);

 private:
  std::vector<std::string> folders_;
  Worker worker_;
};

}  // namespace parlance::workspace

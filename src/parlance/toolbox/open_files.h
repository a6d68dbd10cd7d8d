// SPDX-License-Identifier: Apache-2.0
// Files as an editor has them, with what is not saved there yet. Where a conversation has such, our tools read and change these and not what
// lies on the disk. What may be read and changed is decided before, by the place on the disk. Loop thread only; outlives the tools.
#pragma once

#include <string>

#include "parlance/async/task.h"
#include "parlance/base/result.h"

namespace parlance::toolbox {

class OpenFiles {
 public:
  virtual bool reads(const std::string& conversation) const = 0;
  virtual bool writes(const std::string& conversation) const = 0;
  // The whole text. `path` is absolute, and lies on the disk; any error means that it cannot tell, and that the disk counts.
  virtual Task<Result<std::string>> read(std::string conversation, std::string path) = 0;
  // Error: unknown_method (it has no files after all: the disk is written), any other: nothing is.
  virtual Task<Result<void>> write(std::string conversation, std::string path, std::string text) = 0;

 protected:
  ~OpenFiles() = default;
};

}  // namespace parlance::toolbox

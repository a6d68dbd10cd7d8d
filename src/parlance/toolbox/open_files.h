// SPDX-License-Identifier: Apache-2.0
// Files as an editor has them, with unsaved changes. In a conversation with an editor, our tools read and change these in place
// of the disk. The place on the disk decides about permissions beforehand. Loop thread only; must outlive the tools.
#pragma once

#include <string>

#include "parlance/async/task.h"
#include "parlance/base/result.h"

namespace parlance::toolbox {

class OpenFiles {
 public:
  virtual bool reads(const std::string& conversation) const = 0;
  virtual bool writes(const std::string& conversation) const = 0;
  // The whole text. `path` is an absolute path on the disk. After any error, the disk counts.
  virtual Task<Result<std::string>> read(std::string conversation, std::string path) = 0;
  // Error: unknown_method (the editor has no files: the disk is written). After any other error, nothing is written.
  virtual Task<Result<void>> write(std::string conversation, std::string path, std::string text) = 0;

 protected:
  ~OpenFiles() = default;
};

}  // namespace parlance::toolbox

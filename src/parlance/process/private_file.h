// SPDX-License-Identifier: Apache-2.0
// A file that only this user may read, for as long as somebody holds it: what a program has to be told and others of the machine are not to
// see, as they would on its command line. Any thread; one owner.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "parlance/base/result.h"

namespace parlance {

class PrivateFile {
 public:
  // In $XDG_RUNTIME_DIR where there is one, else among the temporary files, under a name that nobody can guess or have taken.
  static Result<std::unique_ptr<PrivateFile>> make(std::string_view prefix, std::string_view content);
  ~PrivateFile();
  PrivateFile(const PrivateFile&) = delete;
  PrivateFile& operator=(const PrivateFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  explicit PrivateFile(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace parlance

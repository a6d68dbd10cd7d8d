// SPDX-License-Identifier: Apache-2.0
// A file readable for this user only, for the lifetime of its owner. Passes data to a program that a command line would show to
// other users. Any thread; one owner.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "parlance/base/result.h"

namespace parlance {

class PrivateFile {
 public:
  // In $XDG_RUNTIME_DIR if set, otherwise in the temporary folder, under an unpredictable new name.
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

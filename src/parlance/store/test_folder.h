// SPDX-License-Identifier: Apache-2.0
// A temporary folder for a test, removed with this object.
#pragma once

#include <filesystem>
#include <stdlib.h>
#include <string>

#include "parlance/base/check.h"

namespace parlance::store {

class TestFolder {
 public:
  TestFolder() : path_((std::filesystem::temp_directory_path() / "parlance-store-XXXXXX").string()) {
    PARLANCE_CHECK(::mkdtemp(path_.data()) != nullptr, "a folder for the test");
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace parlance::store

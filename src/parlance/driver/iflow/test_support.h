// SPDX-License-Identifier: Apache-2.0
// Fake iFlow programs in the test's folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tests/support/programs.h"

namespace parlance::test {

class InstalledTest : public ProgramTest {
 protected:
  // Creates a program with this text; returns its path.
  std::string make(const std::string& name, std::string_view text) {
    namespace fs = std::filesystem;
    fs::create_directories(fs::path(path(name)).parent_path());
    write_file(path(name), text);
    fs::permissions(path(name), fs::perms::owner_all);
    return path(name);
  }
};

}  // namespace parlance::test

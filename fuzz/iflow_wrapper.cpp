// SPDX-License-Identifier: Apache-2.0
// Any text as the script that npm or another package manager put into a folder of programs: what is found in it is a script's absolute
// path, without what could lead elsewhere.
//
// The first byte says for which platform and in which folder; the rest is the text.
#include <cstdint>
#include <string>

#include "parlance/base/check.h"
#include "parlance/driver/iflow/wrapper.h"

namespace {

using namespace parlance;
using driver::Platform;

constexpr std::string_view folders[] = {"/usr/bin", "C:\\Users\\Ann\\AppData\\Roaming\\npm", "", "."};

void check_path(std::string_view path, Platform platform) {
  const std::string even = driver::evened(path, platform);
  if (driver::is_absolute(path, platform)) {
    PARLANCE_CHECK(driver::is_absolute(even, platform), "an absolute path stays one");
    PARLANCE_CHECK(driver::evened(even, platform) == even, "what is evened stays as it is");
  }
  static_cast<void>(driver::folder_of(path, platform));
  static_cast<void>(driver::node_beside(path, platform));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Platform platform = (data[0] & 1) != 0 ? Platform::windows : Platform::posix;
  const std::string_view folder = folders[(data[0] >> 1U) % std::size(folders)];
  if (const auto script = driver::script_of_wrapper(text, folder, platform)) {
    PARLANCE_CHECK(script->ends_with("js"), "what is found is a script");
    check_path(*script, platform);
  }
  static_cast<void>(driver::is_node_script(folder, text));
  check_path(text.substr(0, 4096), platform);
  return 0;
}

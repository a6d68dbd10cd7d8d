// SPDX-License-Identifier: Apache-2.0
// The trusted files of working folders, each with the digest of its contents. A parlance.toml may come from a stranger's
// repository, and could start programs or send keys away (docs/decisions/0024-a-folders-configuration-is-trusted-first.md).
//
// One file for each in the folder `trusted` of the state folder, mode 0600, named after the SHA-256 of the path:
//   {"version":1,"path":"/home/ada/shop/parlance.toml","sha256":"…"}
// A file accessible to others, or of another version, grants no trust. Blocks; any thread.
#pragma once

#include <string>
#include <vector>

#include "parlance/base/result.h"

namespace parlance::app {

struct TrustedFile {
  std::string path;    // absolute
  std::string sha256;  // of the contents
};

// The parlance.toml of a folder as listed: with the folder's real path. A deleted folder keeps its name.
std::string trusted_name(const std::string& folder);

enum class Trust { none, changed, full };  // changed: trusted once, with other contents
Trust trust_in(const std::string& state_folder, const TrustedFile& file);

// Errors: invalid_params (a path outside UTF-8), and errors of writing.
Result<void> trust_file(const std::string& state_folder, const TrustedFile& file);
Result<bool> untrust_file(const std::string& state_folder, const std::string& path);  // false: not trusted before
std::vector<TrustedFile> trusted_files(const std::string& state_folder);              // by path

}  // namespace parlance::app

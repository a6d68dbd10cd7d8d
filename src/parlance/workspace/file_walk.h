// SPDX-License-Identifier: Apache-2.0
// Walks a folder by descriptors, never by full paths, and follows no links: no change during the walk leads outside. For the .cpp
// files of the hub.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace parlance::workspace {

struct WalkEntry {
  std::string path;      // relative to where the walk began
  std::string name;      // its last component
  int folder;            // descriptor of the containing folder, for openat
  bool is_file = false;  // regular
  bool is_folder = false;
  bool link = false;
  std::uint64_t size = 0;
};

enum class Walk : std::uint8_t { on, past, end };  // past: on, but not into this folder

// Visits folders before their contents; `.git` and `node_modules` are visited, not entered.
void walk_folder(int folder, bool recursive, const std::function<Walk(const WalkEntry&)>& visit);

}  // namespace parlance::workspace

// SPDX-License-Identifier: Apache-2.0
// Walks a folder by descriptors, never by full paths, and follows no links: no change during the walk leads outside. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

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

// Files and folders that could not be read. Without them, a result looks complete to a model.
struct Unread {
  std::uint64_t count = 0;
  std::string first{};  // with the reason, for people; empty: none
  // A file that is gone by now does not count.
  void add(std::string_view path, int errno_value);
};

// Visits folders before their contents; `.git` and `node_modules` are visited, not entered.
void walk_folder(int folder, bool recursive, Unread& unread, const std::function<Walk(const WalkEntry&)>& visit);

}  // namespace parlance::workspace

// SPDX-License-Identifier: Apache-2.0
// Which files a folder's owner does not want to see: what a .gitignore says, and the patterns of an editor's settings. Pure but for
// `IgnoreFiles`; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::workspace {

// The lines of one .gitignore, as git reads them.
class IgnoreRules {
 public:
  explicit IgnoreRules(std::string_view text);

  // Patterns that mean whole paths, with {a,b} for either, as editors have them.
  static IgnoreRules of_globs(const std::vector<std::string>& globs);

  // `path` is relative to the folder of the .gitignore. Nothing: no line is about it; the last one that is decides.
  std::optional<bool> ignores(std::string_view path, bool is_folder) const;
  bool empty() const { return rules_.empty(); }

 private:
  struct Rule {
    std::vector<std::string> parts{};  // of the path; "**" is any number of them
    bool taken_back = false;           // !
    bool folders_only = false;
  };
  IgnoreRules() = default;
  void add(std::string_view line);
  std::vector<Rule> rules_;
};

// The .gitignore files that hold for what is below one folder: its own, those above it up to where the repository begins, and those of the
// folders on the way to a path. Paths are asked in the order of a walk: a folder before what it holds.
class IgnoreFiles {
 public:
  IgnoreFiles(const std::string& root, const std::vector<std::string>& globs);

  // `folder`: descriptor of what holds it. Whoever leaves an ignored folder out need not ask about what is in it.
  bool ignores(int folder, const std::string& path, const std::string& name, bool is_folder);

 private:
  struct Layer {
    std::string below{};   // relative to the root, with a slash at its end; of the folders above it empty
    std::string before{};  // goes before the path: where the root is, seen from a folder above it
    IgnoreRules rules;
  };
  void add(int folder, const std::string& file, std::string below, std::string before);
  std::vector<Layer> layers_;  // the nearest last
  IgnoreRules globs_;
};

}  // namespace parlance::workspace

// SPDX-License-Identifier: Apache-2.0
// The files excluded by a folder's owner: the rules of .gitignore files, and the patterns of an editor's settings. Pure except
// `IgnoreFiles`; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::workspace {

// The lines of a .gitignore, in git's interpretation.
class IgnoreRules {
 public:
  explicit IgnoreRules(std::string_view text);

  // Patterns for whole paths, with {a,b} for alternatives, like in editors.
  static IgnoreRules of_globs(const std::vector<std::string>& globs);

  // `path` is relative to the folder of the .gitignore. Nothing: no matching line; the last matching line decides.
  std::optional<bool> ignores(std::string_view path, bool is_folder) const;
  bool empty() const { return rules_.empty(); }

 private:
  struct Rule {
    std::vector<std::string> parts{};  // of the path; "**" is any number of parts
    bool taken_back = false;           // !
    bool folders_only = false;
  };
  IgnoreRules() = default;
  void add(std::string_view line);
  std::vector<Rule> rules_;
};

// The .gitignore files for paths below a folder: its own, those above up to the repository's root, and those of the folders on
// the way. Call in the order of a walk: a folder before its contents.
class IgnoreFiles {
 public:
  IgnoreFiles(const std::string& root, const std::vector<std::string>& globs);

  // `folder`: descriptor of the containing folder. The contents of an ignored folder need no calls.
  bool ignores(int folder, const std::string& path, const std::string& name, bool is_folder);

 private:
  struct Layer {
    std::string below{};   // relative to the root, with a final slash; empty for the folders above
    std::string before{};  // prefix of the path: the root, relative to a folder above
    IgnoreRules rules;
  };
  void add(int folder, const std::string& file, std::string below, std::string before);
  std::vector<Layer> layers_;  // the nearest last
  IgnoreRules globs_;
};

}  // namespace parlance::workspace

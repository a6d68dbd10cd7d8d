// SPDX-License-Identifier: Apache-2.0
// Which files of a folder fit what somebody types, as editors find them: its characters in their order, anywhere in the path; what stands
// together and what begins a name comes first.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/worker.h"
#include "parlance/base/result.h"

namespace parlance::workspace {

// How well; nothing: not at all. ASCII case is ignored. Pure; any thread.
std::optional<int> file_fit(std::string_view path, std::string_view typed);

// The best `most`, best first; of equals the shorter, then by name. Nothing typed: by name. Pure; any thread.
std::vector<std::string> best_files(const std::vector<std::string>& paths, std::string_view typed, std::size_t most);

// Where to look. Of the first folder paths are relative to it, of further ones whole.
struct LookedIn {
  std::vector<std::string> folders{};
  std::vector<std::string> excluded{};  // patterns of paths, as editors have them in their settings
  friend bool operator==(const LookedIn&, const LookedIn&) = default;
};

// Names of files below folders, looked up by a thread of its own and kept for limits::file_names_kept, so that typing costs no further look.
// Hidden folders, what builds and package managers make and what a .gitignore names are left out, and of folders that take longer than
// limits::file_names_time what was not reached. Loop thread only; outlives its tasks.
class FileNames {
 public:
  explicit FileNames(Loop& loop) : loop_(loop), looked_(loop) {}

  struct Found {
    std::vector<std::string> paths{};
    bool all = true;  // false: there are more files than are looked at
  };
  // At most limits::file_names_found. Errors: not_found (the first folder is not there; a further one is passed over).
  Task<Result<Found>> find(LookedIn where, std::string typed);

 private:
  struct Listed {
    std::vector<std::string> paths{};
    bool all = true;
  };
  static Result<std::shared_ptr<const Listed>> list(const LookedIn& where);
  Task<Result<void>> look(const LookedIn& where);

  Loop& loop_;
  std::unique_ptr<Worker> worker_;  // from the first question on
  bool looking_ = false;
  Signal looked_;
  LookedIn where_;
  std::shared_ptr<const Listed> listed_;  // of that
  TimePoint listed_at_{};
};

}  // namespace parlance::workspace

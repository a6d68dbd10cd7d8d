// SPDX-License-Identifier: Apache-2.0
// The iFlow of this machine, shared by all its users: its location (searched once and cached), its command line, and its settings
// file for values without a protocol message. Loop thread only; the destructor cancels a running search.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/driver/iflow/availability.h"
#include "parlance/driver/iflow/discovery.h"
#include "parlance/driver/iflow/settings_file.h"

namespace parlance::driver {

struct IflowInstallationSettings {
  Surroundings place = Surroundings::of_this_process();
  Reporter report = report_to_log();
  std::string program{};        // a path or a name in PATH from a person; empty: searched
  std::string settings_path{};  // settings.json (settings_file.h); empty: never written
  std::string base_url{};       // written to the file, if not empty
  std::string api_key{};        // the same
};

// The first words of the command line.
struct IflowStart {
  std::string program{};  // Node, or iFlow itself
  std::string script{};   // the script for Node; empty: none
  std::vector<std::string> words() const;
};

class IflowInstallation {
 public:
  explicit IflowInstallation(Loop& loop, IflowInstallationSettings settings = {});

  // No value: not installed, cached for limits::iflow_unavailable_for because a person may be installing it. Parallel callers
  // share a search.
  Task<std::optional<FoundIflow>> found();
  // The Node of the configuration (`node`, may be empty), else the found Node; no value if the program must run by itself.
  Task<std::optional<IflowStart>> start_mode(std::string node);
  // start_mode, else the program itself. Error: not_found, with the remedy.
  Task<Result<IflowStart>> start(std::string node);
  // Existence and version; a frontend may ask with every message. Runs only `--version`.
  Task<Availability> availability() { return availability_.get(); }
  // After an installation, move or removal: the next call searches again.
  void forget();

  // Before each run: writes the model (empty: unchanged) and the address of the models, because iFlow reads both only from this
  // file. Errors: those of write_iflow_settings.
  Result<IflowSettingsWritten> write_settings(const std::string& model);

 private:
  struct Look {
    bool over = false;
    TimePoint at{};
    std::optional<FoundIflow> found{};
  };
  Task<void> look(std::shared_ptr<Look> into);
  Task<Availability> check();

  Loop& loop_;
  IflowInstallationSettings settings_;
  std::shared_ptr<Look> look_;  // null: not searched, or discarded
  Signal looked_;
  AvailabilityCache availability_;
  Scope scope_;
};

Error no_iflow();

}  // namespace parlance::driver

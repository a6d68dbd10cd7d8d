// SPDX-License-Identifier: Apache-2.0
// The iFlow of this machine, one for all who start it: where it is, looked for once and remembered; how it is started; and its own settings,
// from which it reads what no message can tell it. Loop thread only; a look that is under way goes with it.
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
  Told told = told_to_log();
  std::string program{};        // a path or a name in PATH that a person chose; empty: it is looked for
  std::string settings_path{};  // its settings.json (settings_file.h); empty: that is left alone
  std::string base_url{};       // written there, if not empty
  std::string api_key{};        // the same
};

// The first words of the command line that starts it.
struct IflowStart {
  std::string program{};  // Node, or iFlow itself
  std::string script{};   // what Node runs; empty: nothing
  std::vector<std::string> words() const;
};

class IflowInstallation {
 public:
  explicit IflowInstallation(Loop& loop, IflowInstallationSettings settings = {});

  // Nothing where it is not installed, which is believed for limits::iflow_unavailable_for: somebody may be installing it. Whoever asks while
  // it is looked for gets the same answer.
  Task<std::optional<FoundIflow>> found();
  // In three steps: the Node that a person configured (`node`, may be empty); the Node that was found; and nothing, where the program has
  // to be started by itself.
  Task<std::optional<IflowStart>> start_mode(std::string node);
  // All three. Error: not_found, with what to do.
  Task<Result<IflowStart>> start(std::string node);
  // Whether it is there and which version, as a face may ask with every message; nothing is started but `--version`.
  Task<Availability> availability() { return availability_.get(); }
  // It may have been installed, moved or removed meanwhile: the next one looks again.
  void forget();

  // Before each run: the model (empty: as it is) and where the models are, for the program reads them there and nowhere else. Errors: those
  // of write_iflow_settings.
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
  std::shared_ptr<Look> look_;  // null: nobody has, or what was found is forgotten
  Signal looked_;
  AvailabilityCache availability_;
  Scope scope_;
};

Error no_iflow();

}  // namespace parlance::driver

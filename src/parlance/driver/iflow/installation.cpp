// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/iflow/installation.h"

#include <utility>

#include "parlance/driver/iflow/limits.h"

namespace parlance::driver {

std::vector<std::string> IflowStart::words() const {
  return script.empty() ? std::vector<std::string>{program} : std::vector<std::string>{program, script};
}

Error no_iflow() {
  return {.code = Errc::not_found, .message = "iFlow is not installed: npm install -g @iflow-ai/iflow-cli installs it"};
}

IflowInstallation::IflowInstallation(Loop& loop, IflowInstallationSettings settings)
    : loop_(loop), settings_(std::move(settings)), looked_(loop), availability_(loop, [this] { return check(); }), scope_(loop) {}

Task<std::optional<FoundIflow>> IflowInstallation::found() {
  const bool is_old = look_ && look_->over && !look_->found && loop_.now() - look_->at >= limits::iflow_unavailable_for;
  if (!look_ || is_old) {
    look_ = std::make_shared<Look>();
    scope_.start(look(look_));
  }
  const auto mine = look_;
  while (!mine->over) co_await looked_.wait();
  co_return mine->found;
}

Task<void> IflowInstallation::look(std::shared_ptr<Look> into) {
  into->found = co_await (settings_.program.empty() ? discover_iflow(loop_, settings_.place, settings_.report)
                                                    : look_at_iflow(settings_.program, settings_.place, settings_.report));
  into->at = loop_.now();
  into->over = true;
  looked_.notify_all();
}

Task<std::optional<IflowStart>> IflowInstallation::start_mode(std::string node) {
  const std::optional<FoundIflow> there = co_await found();
  if (!there) co_return std::nullopt;
  if (!node.empty()) {
    if (const auto script = script_of_iflow(there->program, settings_.report))
      co_return IflowStart{.program = std::move(node), .script = *script};
    settings_.report("the configured Node is not used: there is nothing that it could run");
  }
  if (there->script.empty()) co_return std::nullopt;
  co_return IflowStart{.program = there->node, .script = there->script};
}

Task<Result<IflowStart>> IflowInstallation::start(std::string node) {
  if (auto mode = co_await start_mode(std::move(node))) co_return *std::move(mode);
  const std::optional<FoundIflow> there = co_await found();
  if (!there) co_return fail(no_iflow());
  co_return IflowStart{.program = there->program};
}

Task<Availability> IflowInstallation::check() {
  const std::optional<FoundIflow> there = co_await found();
  if (!there) co_return Availability{.diagnosis = no_iflow().message};
  Availability out{
      .available = true, .version = co_await version_of_iflow(loop_, *there, settings_.report), .path = there->program};
  out.diagnosis = "iFlow" + (out.version.empty() ? std::string() : " " + out.version) + ", installed as " + there->program;
  co_return out;
}

void IflowInstallation::forget() {
  if (look_ && !look_->over) return;  // the running search is current
  look_.reset();
  availability_.clear();
}

Result<IflowSettingsWritten> IflowInstallation::write_settings(const std::string& model) {
  if (settings_.settings_path.empty()) return IflowSettingsWritten{};
  IflowSettingsChange change;
  if (!model.empty()) change.model = model;
  if (!settings_.base_url.empty()) change.base_url = settings_.base_url;
  if (!settings_.api_key.empty()) change.api_key = settings_.api_key;
  if (!change.model && !change.base_url && !change.api_key) return IflowSettingsWritten{};
  return write_iflow_settings(settings_.settings_path, change);
}

}  // namespace parlance::driver

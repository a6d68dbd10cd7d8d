// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/trusting_agent.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "apps/parlance/config/folder_programs.h"
#include "apps/parlance/config/trust.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/transport/private_file.h"

namespace parlance::app {
namespace {

// All that is asked about once: the agent, the folders, where answers are kept.
struct Watch {
  std::string agent;
  std::string name;
  std::vector<std::string> folders;
  std::string state;

  std::vector<FolderProgram> untrusted() const {
    std::vector<FolderProgram> all;
    for (const std::string& folder : folders)
      for (FolderProgram& found : folder_programs(folder, agent))
        if (!found.can_be_allowed || trust_in(state, found.file) != Trust::full) all.push_back(std::move(found));
    return all;
  }
};

bool can_be_allowed(const std::vector<FolderProgram>& files) {
  return std::ranges::all_of(files, &FolderProgram::can_be_allowed);
}

Error not_trusted(const Watch& watch, const std::vector<FolderProgram>& files) {
  std::string names;
  for (const FolderProgram& file : files) names += (names.empty() ? "" : ", ") + file.name;
  return {.code = Errc::denied,
          .message = watch.name + " does not start in this folder: " +
                     (can_be_allowed(files) ? "the programs of " + names + " are not allowed. Send a prompt and allow them"
                                            : names + ": more than parlance can check. Use another folder") +
                     ", or remove the files."};
}

hub::AskRequest request_for(const Watch& watch, const std::vector<FolderProgram>& files) {
  std::string detail;
  for (const FolderProgram& file : files) {
    detail += (detail.empty() ? "" : "\n") + file.name + "\n";
    if (trust_in(watch.state, file.file) == Trust::changed) detail += "(changed since you allowed it)\n";
    detail += file.what;
  }
  const hub::Reason reason(hub::ReasonId::folder_programs, {watch.name});
  return {.title = "Let " + watch.name + " use the programs that this folder brings along?",
          .why = hub::in_words(reason) + ".",
          .reason = reason,
          .detail = std::move(detail),
          .options = {{.id = "trust", .label = "Allow these files", .kind = hub::OptionKind::allow_always, .dangerous = true},
                      {.id = "reject", .label = "Do not start", .kind = hub::OptionKind::reject_once}}};
}

class TrustingAgent final : public hub::Agent {
 public:
  TrustingAgent(std::unique_ptr<hub::Agent> inner, Watch watch) : inner_(std::move(inner)), watch_(std::move(watch)) {}

  Task<Result<hub::StopReason>> prompt(hub::Turn& turn, hub::Prompt prompt) override {
    watch_.folders = folders_of(turn.setup());
    const std::vector<FolderProgram> files = watch_.untrusted();
    if (!can_be_allowed(files)) co_return fail(not_trusted(watch_, files));
    if (!files.empty()) {
      PARLANCE_CO_TRY(answer, co_await turn.ask(request_for(watch_, files)));
      if (answer.state == hub::AskState::cancelled || turn.cancelled()) co_return hub::StopReason::cancelled;
      if (!answer.allowed()) co_return fail(not_trusted(watch_, files));
      PARLANCE_CO_TRY_DO(keep_private_folder(watch_.state));
      for (const FolderProgram& file : files) PARLANCE_CO_TRY_DO(trust_file(watch_.state, file.file));
      if (const auto since = watch_.untrusted(); !since.empty()) co_return fail(not_trusted(watch_, since));
    }
    co_return co_await inner_->prompt(turn, std::move(prompt));
  }
  // Without a turn no person can answer; the later prompt requests the trust.
  Task<Result<void>> prepare(hub::PromptOptions options) override {
    if (const auto files = watch_.untrusted(); !files.empty()) co_return fail(not_trusted(watch_, files));
    co_return co_await inner_->prepare(std::move(options));
  }
  Task<Result<void>> resume(hub::ReplaySink& sink) override {
    if (const auto files = watch_.untrusted(); !files.empty()) co_return fail(not_trusted(watch_, files));
    co_return co_await inner_->resume(sink);
  }
  Task<Result<hub::StopReason>> resume_turn(hub::Turn& turn, hub::TurnSoFar so_far) override {
    if (const auto files = watch_.untrusted(); !files.empty()) co_return fail(not_trusted(watch_, files));
    co_return co_await inner_->resume_turn(turn, std::move(so_far));
  }
  bool survives_failure() const override { return inner_->survives_failure(); }
  void leave() override { inner_->leave(); }
  void cancel() override { inner_->cancel(); }
  Task<Result<void>> set_mode(hub::Mode mode) override { return inner_->set_mode(mode); }
  Task<Result<void>> set_model(std::string model) override { return inner_->set_model(std::move(model)); }
  Task<Result<void>> set_think(bool think) override { return inner_->set_think(think); }
  Task<Result<void>> set_option(std::string id, std::string value) override {
    return inner_->set_option(std::move(id), std::move(value));
  }
  Task<void> close() override { return inner_->close(); }

  static std::vector<std::string> folders_of(const hub::SessionSetup& setup) {
    std::vector<std::string> all{setup.folder};
    all.insert(all.end(), setup.folders.begin(), setup.folders.end());
    return all;
  }

 private:
  std::unique_ptr<hub::Agent> inner_;
  Watch watch_;
};

class TrustingProvider final : public hub::AgentProvider {
 public:
  TrustingProvider(std::unique_ptr<hub::AgentProvider> inner, std::string state)
      : inner_(std::move(inner)), state_(std::move(state)) {}
  hub::AgentInfo info() const override { return inner_->info(); }
  Task<Result<std::vector<hub::KeptSession>>> sessions(std::string folder) override {
    const Watch watch = watch_over({folder});
    if (const auto files = watch.untrusted(); !files.empty()) co_return fail(not_trusted(watch, files));
    co_return co_await inner_->sessions(std::move(folder));
  }
  Task<Result<hub::FilesFound>> find_files(hub::FilesWanted wanted) override { return inner_->find_files(std::move(wanted)); }
  Task<void> recheck() override { return inner_->recheck(); }
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::SessionSetup setup, hub::AgentHost host) override {
    Watch watch = watch_over(TrustingAgent::folders_of(setup));
    PARLANCE_CO_TRY(inner, co_await inner_->open(std::move(setup), host));
    co_return std::make_unique<TrustingAgent>(std::move(inner), std::move(watch));
  }
  bool resumes_turns() const override { return inner_->resumes_turns(); }

 private:
  Watch watch_over(std::vector<std::string> folders) const {
    const hub::AgentInfo about = inner_->info();
    return {.agent = about.id, .name = about.name, .folders = std::move(folders), .state = state_};
  }
  std::unique_ptr<hub::AgentProvider> inner_;
  std::string state_;
};

}  // namespace

std::unique_ptr<hub::AgentProvider> in_trusted_folders(std::unique_ptr<hub::AgentProvider> inner, std::string state_folder) {
  return std::make_unique<TrustingProvider>(std::move(inner), std::move(state_folder));
}

}  // namespace parlance::app

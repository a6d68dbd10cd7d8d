// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/agent/workspace.h"

namespace parlance::hub {
namespace {

std::unexpected<Error> absent() { return fail(Errc::denied, "File system access not configured"); }

class AbsentWorkspace final : public Workspace {
 public:
  Task<Result<std::string>> read_text_file(std::string, std::optional<std::uint64_t>, std::optional<std::uint64_t>) override {
    co_return absent();
  }
  Task<Result<void>> write_text_file(std::string, std::string) override { co_return absent(); }
  Task<Result<std::string>> create_terminal(TerminalRequest) override { co_return absent(); }
  Result<TerminalOutput> terminal_output(const std::string&) const override { return absent(); }
  Task<Result<TerminalExit>> wait_for_terminal(std::string) override { co_return absent(); }
  Result<void> kill_terminal(const std::string&) override { return absent(); }
  Result<void> release_terminal(const std::string&) override { return absent(); }
};

}  // namespace

std::unique_ptr<Workspace> absent_workspace() { return std::make_unique<AbsentWorkspace>(); }

}  // namespace parlance::hub

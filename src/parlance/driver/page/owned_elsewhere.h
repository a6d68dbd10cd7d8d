// SPDX-License-Identifier: Apache-2.0
// A shared store whose conversations all belong to another program: its hub never owns one, executes no command of others and
// serves no runner. Implementations add the reading part. Loop thread only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parlance/hub/log/shared_store.h"
#include "parlance/hub/policy/spending.h"

namespace parlance::driver {

class OwnedElsewhere : public hub::SharedStore {
 public:
  bool checks_permissions() const final { return true; }
  Duration lease() const final { return Duration::zero(); }
  Task<Result<bool>> claim(std::string) final { co_return false; }
  Task<Result<void>> release(std::string) final { co_return Result<void>{}; }
  Task<Result<void>> remove_conversation(std::string id) final { co_return refused(id); }
  Task<Result<void>> remove_audited(std::string id, hub::AuditEntry) final { co_return refused(id); }
  Task<Result<std::vector<std::string>>> continuing(std::string) final { co_return std::vector<std::string>{}; }
  Task<Result<std::vector<hub::Submission>>> commands(std::string) final { co_return std::vector<hub::Submission>{}; }
  Task<Result<void>> done(hub::CommandDone) final { co_return Result<void>{}; }
  Task<Result<hub::RunnerConnection>> runner_connected(std::string runner, std::string, std::string) final {
    co_return refused(runner);
  }
  Task<Result<void>> runner_disconnected(std::string, std::uint64_t) final { co_return Result<void>{}; }
  Task<Result<std::optional<hub::RunnerConnection>>> find_runner(std::string) final { co_return std::nullopt; }
  Task<Result<hub::Spent>> spent_in(std::string) final { co_return hub::Spent{}; }
  Task<Result<std::vector<hub::SpentOn>>> spent(std::string) final { co_return std::vector<hub::SpentOn>{}; }

 protected:
  static std::unexpected<Error> refused(const std::string& id) {
    return std::unexpected(hub::not_owner(id + " belongs to the gateway"));
  }
};

}  // namespace parlance::driver

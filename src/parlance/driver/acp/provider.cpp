// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "parlance/driver/acp/agent_via_acp.h"
#include "parlance/driver/acp/kept_sessions.h"
#include "parlance/driver/acp/shared.h"
#include "parlance/hub/conversation/agent_info.h"

namespace parlance::driver {
namespace {

class AcpProvider final : public hub::AgentProvider {
 public:
  AcpProvider(Loop& loop, AcpAgentSettings settings) : shared_(std::make_shared<AcpShared>(loop, std::move(settings))) {}
  hub::AgentInfo info() const override { return shared_->info(); }
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::SessionSetup setup, hub::AgentHost host) override {
    co_return acp_agent(shared_, setup, host);
  }
  Task<Result<std::vector<hub::KeptSession>>> sessions(std::string folder) override {
    return acp_kept_sessions(shared_, std::move(folder));
  }
  Task<void> recheck() override { return shared_->recheck(); }

 private:
  std::shared_ptr<AcpShared> shared_;
};

}  // namespace

std::unique_ptr<hub::AgentProvider> agent_via_acp(Loop& loop, AcpAgentSettings settings) {
  return std::make_unique<AcpProvider>(loop, std::move(settings));
}

}  // namespace parlance::driver

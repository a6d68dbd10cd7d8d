// SPDX-License-Identifier: Apache-2.0
// The hub's store in memory: for temporary conversations (`parlance run`). Loop thread only.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/log/store.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/hub/policy/spending.h"

namespace parlance::store {

class HubMemory final : public hub::Store {
 public:
  Task<Result<hub::Stored>> load() override;
  Task<Result<void>> write(hub::CommitPtr change) override;
  Task<Result<std::vector<hub::Event>>> events(std::string conversation, std::uint64_t after, std::uint64_t before,
                                               std::size_t limit) override;
  Task<Result<std::vector<hub::EventText>>> event_texts(std::string conversation, std::uint64_t after, std::uint64_t before,
                                                        std::size_t limit) override;
  Task<Result<std::vector<hub::Event>>> events_after(std::string conversation, std::uint64_t after, std::uint64_t last,
                                                     std::size_t most_bytes) override;
  Task<Result<hub::LogParts>> parts_with(std::string words, std::uint64_t before, std::size_t limit) override;
  Task<Result<std::optional<hub::Ask>>> ask(std::string id) override;
  Task<Result<std::optional<hub::Attachment>>> attachment(std::string id) override;
  Task<Result<void>> remove_conversation(std::string id) override;
  Task<Result<std::vector<hub::SpentOn>>> spent(std::string since) override;
  Task<Result<hub::StoreCounts>> counts() override;

 private:
  std::map<std::string, hub::Conversation> conversations_;
  std::map<std::string, std::vector<hub::Event>> events_;  // by conversation; the n-th has number n + 1
  std::map<std::string, hub::Ask> asks_;
  struct Kept {
    std::string conversation{};
    hub::Attachment attachment{};
  };
  std::map<std::string, Kept> attachments_;
  std::map<std::pair<std::string, std::string>, hub::Spent> spent_;  // by day and conversation
  hub::SpendingLimits limits_;
  std::vector<hub::Rule> rules_;  // newest first
};

}  // namespace parlance::store

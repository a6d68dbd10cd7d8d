// SPDX-License-Identifier: Apache-2.0
// The models for HTTP clients: each agent of the hub by its id, its models as AGENT/MODEL, and the built-in agent's configured
// model by name. Loop thread only; hub and backend must outlive the object.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/agent/backend.h"
#include "parlance/base/error.h"
#include "parlance/hub/user_hub.h"

namespace parlance::face {

class ServedModels {
 public:
  ServedModels(hub::UserHub hub, const agent::ChatBackend& own) : hub_(std::move(hub)), own_(own) {}

  struct Chosen {
    std::string agent{};  // hub::AgentInfo::id
    std::string model{};  // of the agent; empty: its default
  };
  // In order of the list: the built-in agent first.
  std::vector<std::string> names() const;
  std::optional<Chosen> find(std::string_view name) const;  // an empty name selects the built-in agent

  static bool is_own(const Chosen& chosen);  // the built-in agent, which supports a client's tools
  Error unknown(std::string_view name) const;

 private:
  hub::UserHub hub_;
  const agent::ChatBackend& own_;
};

}  // namespace parlance::face

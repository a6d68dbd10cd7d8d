// SPDX-License-Identifier: Apache-2.0
// The models that an HTTP client may name: each agent of the hub by its id, the models that it offers as AGENT/MODEL, and the
// configured model of our own agent by its own name. Loop thread only; hub and backend outlive it.
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
    std::string model{};  // of it; empty: its own choice
  };
  // In the order in which they are listed: our own agent first.
  std::vector<std::string> names() const;
  std::optional<Chosen> find(std::string_view name) const;  // an empty name is our own agent's

  static bool is_own(const Chosen& chosen);  // ours, which lets a client bring tools
  Error unknown(std::string_view name) const;

 private:
  hub::UserHub hub_;
  const agent::ChatBackend& own_;
};

}  // namespace parlance::face

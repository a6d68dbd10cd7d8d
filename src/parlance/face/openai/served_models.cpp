// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/openai/served_models.h"

#include <algorithm>

#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/gateway/http_errors.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/protocol/openai/messages.h"

namespace parlance::face {
namespace {

constexpr std::size_t shown_name_bytes = 100;  // Of an unknown name in the error: a line.

}  // namespace

std::vector<std::string> ServedModels::names() const {
  std::vector<std::string> names{std::string(openai::own_model)};
  const auto add = [&](std::string name) {
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  };
  for (std::string& name : own_.models()) add(std::move(name));
  for (const hub::AgentInfo& agent : hub_.agents()) {
    add(agent.id);
    for (const std::string& model : agent.models) add(agent.id + '/' + model);
  }
  return names;
}

std::optional<ServedModels::Chosen> ServedModels::find(std::string_view name) const {
  const Chosen own{.agent = std::string(openai::own_model)};
  if (name.empty() || name == openai::own_model) return own;
  const std::vector<hub::AgentInfo> agents = hub_.agents();
  for (const hub::AgentInfo& agent : agents) {
    if (name == agent.id) return Chosen{.agent = agent.id};
    for (const std::string& model : agent.models)
      if (name == agent.id + '/' + model) return Chosen{.agent = agent.id, .model = model};
  }
  for (const std::string& alias : own_.models())
    if (name == alias) return own;
  return std::nullopt;
}

bool ServedModels::is_own(const Chosen& chosen) { return chosen.agent == openai::own_model; }

Error ServedModels::unknown(std::string_view name) const {
  Error error{.code = Errc::not_found,
              .message = "there is no model `" + std::string(utf8_prefix(name, shown_name_bytes)) + "` here; there are: "};
  const std::vector<std::string> known = names();
  for (std::size_t i = 0; i < known.size(); ++i) error.message += (i == 0 ? "" : ", ") + known[i];
  return gateway::with_code(std::move(error), "model_not_found");
}

}  // namespace parlance::face

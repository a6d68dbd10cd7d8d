// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/acp/gateway_meta.h"

#include <utility>

#include "parlance/codec/json/typed.h"

namespace parlance::face {
namespace {

// Unknown content belongs to other programs.
template <class Meta>
Meta read(const wire::Raw& raw) {
  if (raw.json.find("\"parlance\"") == std::string::npos) return {};
  return json::from_text<Meta>(raw.json).value_or(Meta{});
}

}  // namespace

acp::SessionWish wish_in(const wire::Raw& meta) { return read<acp::SessionWishMeta>(meta).parlance.value_or(acp::SessionWish{}); }

bool wants_positions(const wire::Raw& meta) {
  const auto said = read<acp::FollowsMeta>(meta).parlance;
  return said && said->positions;
}

std::string gateway_meta(std::string folder, const std::vector<hub::AgentInfo>& agents) {
  acp::GatewayWord word{.folder = std::move(folder)};
  for (const hub::AgentInfo& one : agents) word.agents.push_back({.id = one.id, .name = one.name});
  return json::to_text(acp::GatewayMeta{.parlance = std::move(word)});
}

std::string position_meta(std::uint64_t position) {
  return json::to_text(acp::PositionMeta{.parlance = acp::Position{.position = position}});
}

}  // namespace parlance::face

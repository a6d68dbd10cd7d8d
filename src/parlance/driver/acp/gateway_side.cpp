// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/gateway_side.h"

#include <algorithm>

#include "parlance/codec/json/typed.h"

namespace parlance::driver {

void GatewaySide::heard(const std::string& session, const wire::Raw& meta) {
  if (meta.json.find("\"position\"") == std::string::npos) return;
  const auto told = json::from_text<acp::PositionMeta>(meta.json);
  if (!told || !told->parlance) return;
  std::uint64_t& known = positions_[session];
  known = std::max(known, told->parlance->position);
}

std::optional<std::uint64_t> GatewaySide::position(const std::string& session) const {
  const auto found = positions_.find(session);
  return found == positions_.end() ? std::nullopt : std::optional(found->second);
}

Error gateway_gone(Error why) {
  why.message =
      "the connection to the gateway has ended (" + why.message +
      "). The gateway continues the turn if the prompt arrived. Your next message connects again, to the first gateway to "
      "answer, and begins with the missed events";
  return why;
}

hub::event::Notice said_elsewhere(std::string words) { return {.text = "Said at the gateway: " + std::move(words)}; }

std::string meta_with(const std::string& session_meta, std::optional<std::uint64_t> after) {
  if (!after) return session_meta;
  acp::SessionWishMeta meta = json::from_text<acp::SessionWishMeta>(session_meta).value_or(acp::SessionWishMeta{});
  if (!meta.parlance) meta.parlance.emplace();
  meta.parlance->after = after;
  return json::to_text(meta);
}

}  // namespace parlance::driver

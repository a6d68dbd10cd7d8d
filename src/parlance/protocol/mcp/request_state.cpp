// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/request_state.h"

#include "parlance/base/base64.h"
#include "parlance/base/secret.h"
#include "parlance/codec/json/typed.h"
#include "parlance/transport/tls/hmac.h"

namespace parlance::mcp {
Result<std::string> seal(const RequestState& state, BytesView secret) {
  const std::string payload = to_base64(json::to_text(state));
  PARLANCE_TRY(signature, hmac_sha256(secret, payload));
  return payload + '.' + to_hex(signature);
}

Result<RequestState> unseal(std::string_view text, std::string_view subject, BytesView secret) {
  const auto refuse = [] { return fail(Errc::invalid_params, "requestState is not one that this server gave for this call"); };
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) return refuse();
  const std::string_view payload = text.substr(0, dot);
  PARLANCE_TRY(signature, hmac_sha256(secret, payload));
  if (!equal_in_constant_time(text.substr(dot + 1), to_hex(signature))) return refuse();
  const auto bytes = from_base64(payload);
  if (!bytes) return refuse();
  auto state = json::from_text<RequestState>(*bytes);
  if (!state || state->subject != subject) return refuse();
  return state;
}

}  // namespace parlance::mcp

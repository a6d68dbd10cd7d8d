// SPDX-License-Identifier: Apache-2.0
// State of a server of 2026-07-28, carried by the client between two rounds of a call (`requestState`): the answers so far and
// data of the handler. The state is signed (HMAC-SHA-256 of OpenSSL) and bound to its call, and changed or foreign state is
// refused. Readable for the client. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parlance/base/bytes.h"
#include "parlance/base/result.h"
#include "parlance/protocol/mcp/messages.h"

namespace parlance::mcp {

struct RequestState {
  std::string subject{};  // "tools/call NAME"
  InputResponses answers{};
  std::optional<std::string> kept{};
  std::uint64_t round = 0;
  static constexpr auto wire = fields(field<&RequestState::subject>("subject", "Name of the call that owns the state."),
                                      field<&RequestState::answers>("answers", "Answers of the client so far."),
                                      field<&RequestState::kept>("kept", "Data of the handler."),
                                      field<&RequestState::round>("round", "Number of rounds so far."));
};

Result<std::string> seal(const RequestState& state, BytesView secret);
// Error: invalid_params for state not made by `seal` with this secret and subject.
Result<RequestState> unseal(std::string_view text, std::string_view subject, BytesView secret);

}  // namespace parlance::mcp

// SPDX-License-Identifier: Apache-2.0
// What a server of 2026-07-28 gives a client to keep between two rounds of one call (`requestState`): the answers it has had so far
// and what its handler wants to remember. The client only carries it: it is signed (HMAC-SHA-256 of OpenSSL) and bound to the call it was made
// for, so that a changed or borrowed one is refused. It is not secret from the client. Values; any thread.
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
// invalid_params when it was not made by `seal` with this secret, or for another subject.
Result<RequestState> unseal(std::string_view text, std::string_view subject, BytesView secret);

}  // namespace parlance::mcp

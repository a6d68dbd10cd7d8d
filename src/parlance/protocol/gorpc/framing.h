// SPDX-License-Identifier: Apache-2.0
// gob messages in a byte stream: a length, then so many bytes. A message over the limit is passed over where that is bearable and
// told as broken; the dialect answers the call that it belonged to.
#pragma once

#include <memory>

#include "parlance/codec/gob/limits.h"
#include "parlance/transport/framing.h"

namespace parlance::gorpc {

std::unique_ptr<Framing> gob_framing(std::size_t most_bytes = limits::gob_message_bytes);

}  // namespace parlance::gorpc

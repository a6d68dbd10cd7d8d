// SPDX-License-Identifier: Apache-2.0
// gob messages in a byte stream: a length, then so many bytes. A message over the limit is skipped and reported as broken; the
// dialect then answers its call. A message far over the limit ends the stream.
#pragma once

#include <memory>

#include "parlance/codec/gob/limits.h"
#include "parlance/transport/framing.h"

namespace parlance::gorpc {

std::unique_ptr<Framing> gob_framing(std::size_t most_bytes = limits::gob_message_bytes);

}  // namespace parlance::gorpc

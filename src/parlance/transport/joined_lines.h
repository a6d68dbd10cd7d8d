// SPDX-License-Identifier: Apache-2.0
// Lines of peers whose JSON objects have line breaks. A protocol of lines requires one line for each message, so a reader of
// single lines finds no message, and waits for its timeout. Sans-I/O, as framing.h.
#pragma once

#include <cstddef>
#include <memory>

#include "parlance/transport/framing.h"

namespace parlance {

// Reads lines as line_framing does, and a JSON object over several lines as one frame. A line with a whole object always begins a
// frame, so an open brace in a text delays no message. Beyond `most_bytes`, and at the end of the stream, each line is a frame.
std::unique_ptr<Framing> joined_line_framing(std::size_t most_bytes = limits::frame_bytes);

}  // namespace parlance

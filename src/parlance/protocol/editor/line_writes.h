// A stream whose every line leaves in a write of its own. Editors in use parse each piece that they read as one JSON document: two messages
// in one write would be lost on them. Loop thread only.
#pragma once

#include <memory>

#include "parlance/transport/byte_stream.h"

namespace parlance::editor {

std::unique_ptr<ByteStream> line_writes(std::unique_ptr<ByteStream> stream);

}  // namespace parlance::editor

// SPDX-License-Identifier: Apache-2.0
// Reads what the other end of a stream says, to its end, and has every whole line judged. Loop thread only; the stream outlives it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "parlance/transport/byte_stream.h"

namespace parlance {

class LineReader final : private IoDone {
 public:
  LineReader(ByteStream& stream, std::function<void(std::string_view line)> judge) : stream_(stream), judge_(std::move(judge)) {
    stream_.start_read(buffer_, *this);
  }

 private:
  void on_io(Result<std::size_t> bytes) override {
    if (!bytes || *bytes == 0) return;
    line_.append(buffer_, *bytes);
    for (auto end = line_.find('\n'); end != std::string::npos; end = line_.find('\n')) {
      judge_(std::string_view(line_).substr(0, end));
      line_.erase(0, end + 1);
    }
    stream_.start_read(buffer_, *this);
  }
  ByteStream& stream_;
  std::function<void(std::string_view)> judge_;
  std::string line_;  // what has not come to its end
  char buffer_[4096];
};

}  // namespace parlance

// SPDX-License-Identifier: Apache-2.0
// Where a person types: lines, and keys where there are keys. One reader at a time. Loop thread only.
#pragma once

#include <cstdint>
#include <string>

#include "parlance/async/task.h"

namespace parlance::app {

struct Typed {
  enum class Kind : std::uint8_t { text, interrupted, ended };  // ended: the input has, for good
  Kind kind = Kind::ended;
  // Valid UTF-8 as far as it was typed so; without its line feed. interrupted: what stood on the line, where that is known, and is gone.
  std::string text{};
  bool operator==(const Typed&) const = default;
};

class Console {
 public:
  virtual ~Console() = default;

  virtual Task<Typed> line(std::string prompt) = 0;
  // One key, as the text that it sends ("y", "\r", "\x1b[A"); what was typed before it was asked for does not count. Where there are no keys,
  // a line.
  virtual Task<Typed> key(std::string prompt) = 0;
  // Whoever reads gets `interrupted`; nothing when nobody does.
  virtual void interrupt() = 0;
  virtual void resized() {}  // the terminal has another size, or has us back in front
};

}  // namespace parlance::app

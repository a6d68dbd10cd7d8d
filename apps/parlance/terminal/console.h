// SPDX-License-Identifier: Apache-2.0
// The person's input: lines, and keys if available. One reader at a time. Loop thread only.
#pragma once

#include <cstdint>
#include <string>

#include "parlance/async/task.h"

namespace parlance::app {

struct Typed {
  enum class Kind : std::uint8_t { text, interrupted, ended };  // ended: the input has, for good
  Kind kind = Kind::ended;
  // The typed text without its line feed. interrupted: the dropped text of the line, if known.
  std::string text{};
  bool operator==(const Typed&) const = default;
};

class Console {
 public:
  virtual ~Console() = default;

  virtual Task<Typed> line(std::string prompt) = 0;
  // A key as its text ("y", "\r", "\x1b[A"); earlier input is dropped. Without keys, a line.
  virtual Task<Typed> key(std::string prompt) = 0;
  // The reader gets `interrupted`; no effect without a reader.
  virtual void interrupt() = 0;
  virtual void resized() {}    // the terminal has another size, or has us back in front
  virtual void make_room() {}  // output follows: erases the line of the prompt; `resized` shows the line again
  // A person at a terminal has not seen the next text: drops lines that were typed earlier. Other input stays.
  virtual void forget_typed() {}
};

}  // namespace parlance::app

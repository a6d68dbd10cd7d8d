// SPDX-License-Identifier: Apache-2.0
// The programs that fuzz/peers.cpp talks to: both sides of every protocol, with handlers at work and calls in flight.
#pragma once

#include <cstdint>
#include <memory>

#include "parlance/async/loop.h"
#include "parlance/transport/byte_stream.h"

namespace parlance::fuzz {

// What a program has going: counted, so that the end can be looked at.
struct Work {
  Loop& loop;
  int running = 0;  // handlers
  int open = 0;     // calls
};
struct Counted {
  int& count;
  explicit Counted(int& c) : count(c) { ++count; }
  ~Counted() { --count; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
};

// One end of a connection.
class Program {
 public:
  virtual ~Program() = default;
  virtual bool ended() const = 0;
};

// Any number names one. Work goes on until the program has ended; what it has going is counted.
std::unique_ptr<Program> begin(std::uint8_t which, Work& work, std::unique_ptr<ByteStream> stream);

}  // namespace parlance::fuzz

// SPDX-License-Identifier: Apache-2.0
// Reads the connection between a page and a gateway, and checks the protocol itself: a page that repairs a lost or repeated event would
// hide the fault of the gateway.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "parlance/base/bytes.h"
#include "parlance/protocol/page/messages.h"
#include "tests/simulator/ledger.h"

namespace parlance::simulator {

class PageWitness {
 public:
  explicit PageWitness(Ledger& ledger) : ledger_(ledger) {}
  void from_page(BytesView frame);
  void from_gateway(BytesView frame);

 private:
  void take(const page::Done& done);
  void take(const page::Delta& delta);
  void take(const page::EventsOp& change);

  Ledger& ledger_;
  std::map<std::string, std::string> opening_, closing_;  // conversations, by request
  std::map<std::string, std::uint64_t> last_;             // sent event of each open conversation
  std::optional<std::uint64_t> change_;                   // number of the last snapshot or delta
};

}  // namespace parlance::simulator

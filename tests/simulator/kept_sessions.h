// SPDX-License-Identifier: Apache-2.0
// Sessions that agents on runners keep, and the part of the oracle for their adoption. A conversation that continues a session begins
// with the whole session. No two conversations continue the same session. One thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parlance/hub/test_support.h"

namespace parlance::simulator {

struct KeptTurn {
  std::string prompt{};
  std::string answer{};
};
// Of a session with this name; the same for each call.
std::vector<KeptTurn> kept_turns(const std::string& session);

class KeptSessions {
 public:
  // A person adopts a session over one of these connections. `has_lied`: null, if the connection is honest.
  void adopts(const std::string& session, std::shared_ptr<const bool> has_lied) {
    adopted_[session].push_back(std::move(has_lied));
  }
  // The conversation may have prompts of earlier conversations of its session.
  bool is_adopted(const std::string& conversation, const hub::test::MemoryStore& store) const;
  // A connection of the adoption has lied: texts of the session may be lost, or come in later turns.
  bool is_in_doubt(const std::vector<hub::Event>& log) const;
  // Calls `wrong` for a disagreement.
  void compare(const std::string& conversation, const std::vector<hub::Event>& log,
               const std::function<void(std::string)>& wrong) const;
  void compare_rows(const hub::test::MemoryStore& store, const std::function<void(std::string)>& wrong) const;

 private:
  std::map<std::string, std::vector<std::shared_ptr<const bool>>> adopted_;  // by session; true: a connection has lied
};

}  // namespace parlance::simulator

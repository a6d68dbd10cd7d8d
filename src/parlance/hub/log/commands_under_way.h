// SPDX-License-Identifier: Apache-2.0
// Commands of other hubs in one conversation of this hub. Each command runs once: the store's list of waiting commands may
// arrive after the end of a listed command, and a list on its way therefore keeps ended commands known. Loop thread only.
#pragma once

#include <cstddef>
#include <set>
#include <string>

namespace parlance::hub {

class CommandsUnderWay {
 public:
  // Around each read of the store's list: between both calls, `begin` also refuses commands that ended after the read began.
  void list_requested() { ++lists_; }
  void list_used() {
    if (--lists_ == 0) ended_.clear();
  }

  // False: the command is carried out already.
  bool begin(const std::string& command) { return !ended_.contains(command) && running_.insert(command).second; }
  // The outcome is in the store.
  void end(const std::string& command) {
    running_.erase(command);
    if (lists_ > 0) ended_.insert(command);
  }
  // Another hub executes the command.
  void release(const std::string& command) { running_.erase(command); }
  // No command is running; the conversation can be released.
  bool empty() const { return running_.empty(); }

 private:
  std::set<std::string> running_;
  std::set<std::string> ended_;  // While a list is on its way.
  std::size_t lists_ = 0;
};

}  // namespace parlance::hub

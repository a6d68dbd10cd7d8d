// SPDX-License-Identifier: Apache-2.0
// The commands of other hubs that this hub carries out in one conversation: each once. The store's list of waiting commands may arrive
// after a command of the list was carried out; so a command that ended stays known until no list is on its way. Loop thread only.
#pragma once

#include <cstddef>
#include <set>
#include <string>

namespace parlance::hub {

class CommandsUnderWay {
 public:
  void list_requested() { ++lists_; }
  void list_used() {
    if (--lists_ == 0) ended_.clear();
  }

  // False: the command is carried out already.
  bool begin(const std::string& command) { return !ended_.contains(command) && running_.insert(command).second; }
  void end(const std::string& command) {
    running_.erase(command);
    if (lists_ > 0) ended_.insert(command);
  }
  // Another hub carries it out.
  void give_back(const std::string& command) { running_.erase(command); }
  bool empty() const { return running_.empty(); }

 private:
  std::set<std::string> running_;
  std::set<std::string> ended_;  // while a list is on its way
  std::size_t lists_ = 0;
};

}  // namespace parlance::hub

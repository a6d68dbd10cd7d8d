// A store that several hubs share: each conversation has at most one owner, and only its owner commits. Called on the loop thread only.
#pragma once

#include <string>
#include <vector>

#include "parlance/hub/log/store.h"

namespace parlance::hub {

// What `write` and `remove_conversation` fail with, for ever, when another hub has the conversation now.
Error not_owner(std::string message);
bool is_not_owner(const Error& error);

// What a face wants of a conversation that another hub has. Its owner does it.
struct Command {
  std::string id{};            // from the face: twice is once
  std::string conversation{};
  std::string body{};          // between hubs: the store does not look into it
};

class SharedStore : public Store {
 public:
  // Makes a conversation ours, unless a hub that lives has it: false.
  virtual Task<Result<bool>> claim(std::string conversation) = 0;
  virtual Task<Result<void>> release(std::string conversation) = 0;
  // Leaves a command for the owner; returns what came of it. not_found: no such conversation. Waits as long as nobody does it: with_deadline.
  virtual Task<Result<std::string>> send(Command command) = 0;
  virtual Task<Result<std::vector<Command>>> commands(std::string conversation) = 0;  // that nobody has done, oldest first
  virtual Task<Result<void>> done(std::string command, std::string outcome) = 0;
};

}  // namespace parlance::hub

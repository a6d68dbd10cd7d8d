// SPDX-License-Identifier: Apache-2.0
// What an editor's status line says of a turn: thinking, running a tool, waiting for the person. A change is told once. Loop thread only.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "parlance/hub/conversation/event.h"
#include "parlance/protocol/editor/notices.h"

namespace parlance::app {

class WorkStatus {
 public:
  using Tell = std::function<void(editor::Status)>;
  // An empty `tell`: nobody looks.
  explicit WorkStatus(Tell tell) : tell_(std::move(tell)) {}

  void begin_turn();
  void heard(const hub::EventBody& body);  // before what it asks is asked
  void end_turn();

 private:
  void update();
  void become(editor::Status now);

  Tell tell_;
  std::map<std::string, std::string> asks_;   // open ones; by id, their titles
  std::map<std::string, std::string> calls_;  // of tools that run
  std::string latest_;                        // of the calls, the one that began last
  editor::Status told_{};
};

}  // namespace parlance::app

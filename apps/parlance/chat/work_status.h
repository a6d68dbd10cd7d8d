// SPDX-License-Identifier: Apache-2.0
// The state of a turn for an editor's status line: thinking, running a tool, waiting for the person. Each change is reported
// once. Loop thread only.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "parlance/protocol/editor/notices.h"

namespace parlance::hub {
struct EventBody;  // conversation/event.h
}

namespace parlance::app {

class WorkStatus {
 public:
  using Notify = std::function<void(editor::Status)>;
  // An empty `notify`: no listener.
  explicit WorkStatus(Notify notify) : notify_(std::move(notify)) {}

  void begin_turn();
  void receive(const hub::EventBody& body);  // before its requests
  void end_turn();

 private:
  void update();
  void become(editor::Status now);

  Notify notify_;
  std::map<std::string, std::string> asks_;   // titles of open requests by id
  std::map<std::string, std::string> calls_;  // titles of running tools by id
  std::string latest_;                        // the latest of the calls
  editor::Status last_sent_{};
};

}  // namespace parlance::app

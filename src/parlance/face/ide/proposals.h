// SPDX-License-Identifier: Apache-2.0
// Changes that the editor shows and the person has not answered yet, by the name that an agent gave each. Loop thread only; whoever waits for
// one ends before this does.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "parlance/async/cancel.h"
#include "parlance/hub/editor/editor.h"

namespace parlance::face::ide {

class Proposals {
 public:
  Proposals(Loop& loop, hub::Editor& editor) : loop_(loop), editor_(editor) {}

  // Waits for the person. The same name again takes the first one back. Errors: cancelled, when it was taken back; those of the editor.
  Task<Result<hub::editor::DiffOutcome>> ask(std::string name, hub::editor::OpenDiff change);
  bool take_back(const std::string& name);  // false: it is not open
  std::size_t take_back_all();
  std::size_t open() const { return open_.size(); }

 private:
  Loop& loop_;
  hub::Editor& editor_;
  std::map<std::string, std::shared_ptr<CancelSource>> open_;
};

}  // namespace parlance::face::ide

// SPDX-License-Identifier: Apache-2.0
// Open proposals in the editor, by their agent's name. Loop thread only; waiting callers must end before the object.
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

  // Waits for the person. A repeated name withdraws the earlier proposal. Errors: cancelled after a withdrawal; those of the
  // editor.
  Task<Result<hub::editor::DiffOutcome>> ask(std::string name, hub::editor::OpenDiff change);
  bool take_back(const std::string& name);  // false: not open
  std::size_t take_back_all();
  std::size_t open() const { return open_.size(); }

 private:
  Loop& loop_;
  hub::Editor& editor_;
  std::map<std::string, std::shared_ptr<CancelSource>> open_;
};

}  // namespace parlance::face::ide

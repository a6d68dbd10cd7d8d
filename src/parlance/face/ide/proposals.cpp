// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/ide/proposals.h"

#include <utility>

namespace parlance::face::ide {

Task<Result<hub::editor::DiffOutcome>> Proposals::ask(std::string name, hub::editor::OpenDiff change) {
  take_back(name);
  const auto source = std::make_shared<CancelSource>(loop_);
  open_[name] = source;
  // Also when the agent gives the call up, which destroys this coroutine.
  struct Settled {
    Proposals& all;
    const std::string& name;
    const std::shared_ptr<CancelSource>& source;
    ~Settled() {
      if (const auto found = all.open_.find(name); found != all.open_.end() && found->second == source) all.open_.erase(found);
    }
  } settled{*this, name, source};
  co_return co_await under(*source, editor_.open_diff(std::move(change)));
}

bool Proposals::take_back(const std::string& name) {
  const auto found = open_.find(name);
  if (found == open_.end()) return false;
  const auto source = std::move(found->second);
  open_.erase(found);
  source->cancel();
  return true;
}

std::size_t Proposals::take_back_all() {
  const auto all = std::exchange(open_, {});
  for (const auto& [name, source] : all) source->cancel();
  return all.size();
}

}  // namespace parlance::face::ide

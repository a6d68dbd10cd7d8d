// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/acp/prompt_queue.h"

#include <vector>

namespace parlance::acp {

PromptQueues::Place::Place(PromptQueues& queues, std::string session)
    : queues_(queues), session_(std::move(session)), cancelled_(queues.loop_), changed_(queues.loop_) {
  queues_.lines_[session_].push_back(this);
}

PromptQueues::Place::~Place() {
  cancelled_.cancel();  // remaining waiters belong to an ended turn
  const auto line = queues_.lines_.find(session_);
  line->second.remove(this);
  if (line->second.empty()) queues_.lines_.erase(line);
  else line->second.front()->changed_.notify_all();
}

Task<bool> PromptQueues::Place::mine() {
  while (queues_.running(session_) != this && !cancelled_.cancelled()) co_await changed_.wait();
  co_return !cancelled_.cancelled();
}

bool PromptQueues::cancel(std::string_view session) {
  const auto line = lines_.find(session);
  if (line == lines_.end()) return false;
  for (Place* const place : std::vector(line->second.begin(), line->second.end())) {
    place->cancelled_.cancel();
    place->changed_.notify_all();
  }
  return true;
}

PromptQueues::Place* PromptQueues::running(std::string_view session) const {
  const auto line = lines_.find(session);
  return line == lines_.end() ? nullptr : line->second.front();
}

}  // namespace parlance::acp

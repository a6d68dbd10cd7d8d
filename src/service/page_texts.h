// The hub's state and changes as the page reads them. Ten thousand pages are told the same change: its JSON is written once and kept
// for the others. Loop thread only.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>

#include "hub/hub.h"
#include "protocol/page/messages.h"

namespace parlance::service {

using PageText = std::shared_ptr<const std::string>;

// Conversation, ask and so on of the hub as operations of the page. Not for Resync, which is no operation.
page::Op to_op(const hub::Change& change);
page::Snapshot to_snapshot(const hub::Snapshot& state);

class PageTexts {
 public:
  PageText op(const hub::ChangePtr& change);

 private:
  struct Kept {
    hub::ChangePtr change;  // held, so that its address means nothing else meanwhile
    PageText text;
  };
  std::unordered_map<const hub::Change*, PageText> texts_;
  std::deque<Kept> kept_;  // oldest first
  std::size_t bytes_ = 0;
};

}  // namespace parlance::service

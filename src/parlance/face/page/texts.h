// SPDX-License-Identifier: Apache-2.0
// The hub's state and changes as the page reads them. Ten thousand pages are told the same change: its JSON is written once and kept
// for the others. Loop thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "parlance/face/page/following.h"
#include "parlance/hub/user_hub.h"
#include "parlance/protocol/page/messages.h"
#include "parlance/transport/shared_output.h"

namespace parlance::face {

using PageText = SharedBytes;

// Conversation, ask and so on of the hub as operations of the page. Not for Resync, which is no operation.
page::Op to_op(const hub::Change& change);
std::vector<wire::Raw> to_raw(const std::vector<hub::Event>& events);
page::Snapshot to_snapshot(const hub::Snapshot& state);
// Nothing: there are no users.
std::optional<page::Team> team_of(const hub::UserHub& hub);

// One message, in pieces that other pages use as well.
struct PageDelta {
  std::vector<SharedBytes> parts{};
  std::size_t pieces = 0;  // that are in it
  std::size_t bytes = 0;
};

class PageTexts {
 public:
  PageText op(const hub::ChangePtr& change);
  PageText event(const hub::EventPtr& event);
  // As many of the pieces as go into so many bytes, and one at least: a page::Delta.
  PageDelta delta(std::uint64_t seq, std::span<const PagePiece> pieces, std::size_t most_bytes);

 private:
  struct Kept {
    std::shared_ptr<const void> what;  // held, so that its address means nothing else meanwhile
    PageText text;
  };
  void add_events(PageDelta& delta, std::span<const PagePiece> pieces, std::size_t most_bytes);
  template <class Write>
  PageText text_of(const std::shared_ptr<const void>& what, Write write);

  std::unordered_map<const void*, PageText> texts_;
  std::deque<Kept> kept_;  // oldest first
  std::size_t bytes_ = 0;
};

}  // namespace parlance::face

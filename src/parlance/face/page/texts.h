// SPDX-License-Identifier: Apache-2.0
// Converts the hub's state and changes for pages. Ten thousand pages get the same change, so its JSON is written once and cached.
// Loop thread only.
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

// A change of the hub as operation of the page. Not for Resync, which is no operation.
page::Op to_op(const hub::Change& change);
std::vector<wire::Raw> to_raw(std::vector<hub::EventText> events);
std::vector<wire::Raw> to_raw(const std::vector<hub::Conversation>& conversations);
std::optional<std::string> older_of(const std::string& cursor);  // no value: no older conversation
page::Snapshot to_snapshot(const hub::Snapshot& state);
// No value: no users.
std::optional<page::Team> team_of(const hub::UserHub& hub);

// A message made of shared pieces.
struct PageDelta {
  std::vector<SharedBytes> parts{};
  std::size_t pieces = 0;  // number of included pieces
  std::size_t bytes = 0;
};

class PageTexts {
 public:
  PageText op(const hub::ChangePtr& change);
  PageText event(const hub::EventPtr& event);
  // A page::Delta of as many pieces as fit into `most_bytes`, at least one.
  PageDelta delta(std::uint64_t seq, std::span<const PagePiece> pieces, std::size_t most_bytes);

 private:
  struct Kept {
    std::shared_ptr<const void> what;  // held, so that its address stays unique
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

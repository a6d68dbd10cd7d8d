// SPDX-License-Identifier: Apache-2.0
// Conversations in one block of memory each. A Conversation has about 600 bytes beside its texts, and most conversations of a hub
// are idle. Values; any thread, one at a time.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "parlance/hub/conversation/session_setup.h"
#include "parlance/hub/team/user.h"

namespace parlance::hub {

struct Conversation;  // conversation/conversation.h
enum class ConversationState : std::uint8_t;

// The first fields of a packed conversation, without a copy. Valid as long as the block.
struct PackedStart {
  std::string_view id{};
  std::string_view updated_at{};
  std::string_view agent{};
  std::string_view agent_session{};
  AgentSession::How how = AgentSession::How::resume;
  std::optional<std::string_view> user{};
  std::optional<std::string_view> via{};
  std::optional<std::string_view> runner{};
  std::optional<Access> access{};
  ConversationState state{};
  std::uint32_t open_asks = 0;
  std::string_view turn{};
  std::uint64_t queued = 0;  // number of prompts

  // The conversation has a turn, a queue or open requests, so a hub loads it at the start.
  bool is_active() const;
};

// The place of a conversation in a list: by the time of the last change, then by id. Valid as long as the block.
struct PackedPosition {
  std::string_view updated_at{};
  std::string_view id{};
  friend auto operator<=>(const PackedPosition&, const PackedPosition&) = default;
};

// Without Conversation::waits_for, which exists only during a turn.
class PackedConversation {
 public:
  PackedConversation(const Conversation& conversation);  // implicit: stores append conversations to a list
  PackedConversation(const PackedConversation& other);
  PackedConversation(PackedConversation&&) noexcept = default;
  PackedConversation& operator=(const PackedConversation& other) { return *this = PackedConversation(other); }
  PackedConversation& operator=(PackedConversation&&) noexcept = default;

  // A copy of all fields, with new memory for each text.
  Conversation unpack() const;
  // Refers to the block of this object, without a copy of texts.
  PackedStart start() const;
  // The same for few fields, cheap enough as keys.
  PackedPosition position() const;
  std::string_view id() const;

 private:
  // The bytes behind the size.
  std::string_view fields() const;
  std::unique_ptr<char[]> bytes_;  // the size, then the fields
};

// Packed conversations by id and by the time of their last change.
class PackedConversations {
 public:
  // The id must be unknown. Pointers of `find` stay valid.
  void add(PackedConversation conversation);
  // For the start: sorts once. Ignores known ids.
  void add_all(std::vector<PackedConversation> all);
  const PackedConversation* find(std::string_view id) const;  // null: unknown
  // Removes the conversation and returns it; no value: unknown.
  std::optional<PackedConversation> take(std::string_view id);
  // The number of conversations, for Hub::Statistics.
  std::size_t size() const { return by_id_.size(); }

  using Visitor = std::function<bool(const PackedConversation& conversation)>;  // false: ends the visit
  // All conversations, in no order. The visitor must not change this object.
  void visit(const Visitor& visitor) const;
  // Newest change first, between equal times the highest id first. `before`: a time, a space and an id; empty: from the newest on.
  void visit_newest(std::string_view before, const Visitor& visitor) const;

 private:
  struct ById {
    using is_transparent = void;
    // Hash and equality by id, so that a lookup by id needs no conversation.
    static std::string_view id_of(std::string_view id) { return id; }
    static std::string_view id_of(const PackedConversation& conversation) { return conversation.id(); }
    std::size_t operator()(const auto& key) const { return std::hash<std::string_view>()(id_of(key)); }
    bool operator()(const auto& a, const auto& b) const { return id_of(a) == id_of(b); }
  };
  using Row = const PackedConversation*;
  // The order of `by_time_`: by the time of the change, then by id.
  static bool is_before(Row a, Row b);

  std::unordered_set<PackedConversation, ById, ById> by_id_;
  std::vector<Row> by_time_;  // ascending: a changed conversation becomes the last one
};

}  // namespace parlance::hub

// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/log/packed.h"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "parlance/base/check.h"
#include "parlance/hub/conversation/conversation.h"

namespace parlance::hub {
namespace {

// ---- the fields: a new member of a struct does not compile without its place here -------------------------------------------

template <class T, class Struct>
concept Same = std::same_as<std::remove_const_t<T>, Struct>;

template <Same<LineRange> T>
void each(auto& archive, T& object) {
  auto& [first, last] = object;
  archive(first, last);
}
template <Same<PromptContext> T>
void each(auto& archive, T& object) {
  auto& [path, range, text] = object;
  archive(path, range, text);
}
template <Same<PromptOptions> T>
void each(auto& archive, T& object) {
  auto& [most_rounds, system, append_system] = object;
  archive(most_rounds, system, append_system);
}
template <Same<AttachmentInfo> T>
void each(auto& archive, T& object) {
  auto& [id, media_type, name, bytes, url] = object;
  archive(id, media_type, name, bytes, url);
}
template <Same<QueuedPrompt> T>
void each(auto& archive, T& object) {
  auto& [id, text, options, attachments, context, by] = object;
  archive(id, text, options, attachments, context, by);
}
template <Same<OptionValue> T>
void each(auto& archive, T& object) {
  auto& [value, name, description] = object;
  archive(value, name, description);
}
template <Same<AgentOption> T>
void each(auto& archive, T& object) {
  auto& [id, name, description, category, kind, values, value] = object;
  archive(id, name, description, category, kind, values, value);
}

// The fields of PackedStart are first.
template <Same<Conversation> T>
void each(auto& archive, T& object) {
  auto& [id, title, agent, folder, folders, named, mode, model, think, options, via, user, runner, agent_session] =
      static_cast<std::conditional_t<std::is_const_v<T>, const SessionSetup&, SessionSetup&>>(object);
  auto& [archived, state, open_asks, queued, waits_for, last_seq, created_at, updated_at, access, turn] =
      static_cast<std::conditional_t<std::is_const_v<T>, const ConversationProgress&, ConversationProgress&>>(object);
  auto& [session, how] = agent_session;
  archive(id, updated_at, agent, session, how, user, via, runner, access, state, open_asks, turn, queued);
  archive(title, folder, folders, named, archived, mode, model, think, options, last_seq, created_at);
  static_cast<void>(waits_for);
}

template <Same<PackedStart> T>
void each(auto& archive, T& object) {
  auto& [id, updated_at, agent, session, how, user, via, runner, access, state, open_asks, turn, queued] = object;
  archive(id, updated_at, agent, session, how, user, via, runner, access, state, open_asks, turn,
          queued);  // the size of the queue
}

// ---- writing and reading -----------------------------------------------------------------------------------------------------

class Packer {
 public:
  // Null: only counts the bytes.
  explicit Packer(char* block = nullptr) : block_(block) {}
  void operator()(const auto&... fields) { (put(fields), ...); }
  std::size_t size() const { return size_; }

 private:
  // Both inline functions save a call for each field: a start packs every conversation.
  [[gnu::always_inline]] void put(std::uint64_t number) {  // seven bits a byte, the lowest first
    for (; number >= 128; number >>= 7) put(static_cast<char>(number | 128));
    put(static_cast<char>(number));
  }
  void put(char byte) {
    if (block_ != nullptr) block_[size_] = byte;
    ++size_;
  }
  [[gnu::always_inline]] void put(const std::string& text) {
    put(text.size());
    if (block_ != nullptr) text.copy(block_ + size_, text.size());
    size_ += text.size();
  }
  template <class T>
  void put(const T& value) {
    if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) put(static_cast<std::uint64_t>(value));
    else each(*this, value);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <class T>
  void put(const std::vector<T>& all) {
    put(all.size());
    for (const T& value : all) put(value);
  }
  char* block_;
  std::size_t size_ = 0;
};

// Reads only blocks of Packer.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}
  void operator()(auto&... fields) { (take(fields), ...); }

 private:
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 127U} << shift;
      if (byte < 128) return value;
    }
  }
  template <class T>
  void take(T& value) {
    if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) value = static_cast<T>(number());
    else if constexpr (std::same_as<T, std::string> || std::same_as<T, std::string_view>) {
      const std::size_t size = number();
      value = rest_.substr(0, size);
      rest_.remove_prefix(size);
    } else each(*this, value);
  }
  template <class T>
  void take(std::optional<T>& value) {
    if (number() != 0) take(value.emplace());
  }
  template <class T>
  void take(std::vector<T>& all) {
    all.resize(number());
    for (T& value : all) take(value);
  }
  std::string_view rest_;
};

using Size = std::uint32_t;

}  // namespace

// ---- one conversation --------------------------------------------------------------------------------------------------------

PackedConversation::PackedConversation(const Conversation& conversation) {
  Packer count;
  each(count, conversation);
  PARLANCE_CHECK(count.size() <= std::numeric_limits<Size>::max(), "the store limits texts");
  const Size size = static_cast<Size>(count.size());
  bytes_ = std::make_unique_for_overwrite<char[]>(sizeof size + size);
  std::memcpy(bytes_.get(), &size, sizeof size);
  Packer fields(bytes_.get() + sizeof size);
  each(fields, conversation);
}

PackedConversation::PackedConversation(const PackedConversation& other) {
  const std::size_t size = sizeof(Size) + other.fields().size();
  bytes_ = std::make_unique_for_overwrite<char[]>(size);
  std::memcpy(bytes_.get(), other.bytes_.get(), size);
}

std::string_view PackedConversation::fields() const {
  Size size = 0;
  std::memcpy(&size, bytes_.get(), sizeof size);
  return {bytes_.get() + sizeof size, size};
}

Conversation PackedConversation::unpack() const {
  Conversation conversation;
  Unpacker unpacker(fields());
  each(unpacker, conversation);
  return conversation;
}

PackedStart PackedConversation::start() const {
  PackedStart start;
  Unpacker unpacker(fields());
  each(unpacker, start);
  return start;
}

bool PackedStart::is_active() const { return state != ConversationState::idle || open_asks != 0 || queued != 0 || !turn.empty(); }

PackedPosition PackedConversation::position() const {
  PackedPosition position;
  Unpacker unpacker(fields());
  unpacker(position.id, position.updated_at);
  return position;
}

std::string_view PackedConversation::id() const {
  std::string_view id;
  Unpacker unpacker(fields());
  unpacker(id);
  return id;
}

// ---- all ---------------------------------------------------------------------------------------------------------------------

namespace {

// The first bytes of a time as numbers, in the order of the texts. Most comparisons then read no block.
struct SortKey {
  explicit SortKey(std::string_view time) {
    std::array<char, sizeof words> bytes{};
    time.substr(0, bytes.size()).copy(bytes.data(), bytes.size());
    words = std::bit_cast<decltype(words)>(bytes);
    if constexpr (std::endian::native == std::endian::little)
      for (std::uint64_t& word : words) word = std::byteswap(word);
  }
  std::array<std::uint64_t, 3> words{};  // a time of RFC 3339 has 24 bytes
  friend auto operator<=>(const SortKey&, const SortKey&) = default;
};

}  // namespace

bool PackedConversations::is_before(Row a, Row b) { return a->position() < b->position(); }

void PackedConversations::add(PackedConversation conversation) {
  const auto [at, is_new] = by_id_.insert(std::move(conversation));
  PARLANCE_CHECK(is_new, "ids are unique");
  const Row row = &*at;
  if (by_time_.empty() || is_before(by_time_.back(), row)) return by_time_.push_back(row);
  by_time_.insert(std::ranges::upper_bound(by_time_, row, is_before), row);
}

void PackedConversations::add_all(std::vector<PackedConversation> all) {
  by_id_.reserve(by_id_.size() + all.size());
  std::vector<std::pair<SortKey, Row>> rows;
  rows.reserve(by_id_.size() + all.size());
  const auto add = [&](Row row) { rows.emplace_back(SortKey(row->position().updated_at), row); };
  std::ranges::for_each(by_time_, add);
  for (PackedConversation& conversation : all)
    if (const auto [at, is_new] = by_id_.insert(std::move(conversation)); is_new) add(&*at);
  std::ranges::sort(rows, [](const auto& a, const auto& b) {
    const auto order = a.first <=> b.first;
    return order == 0 ? is_before(a.second, b.second) : order < 0;
  });
  by_time_.clear();
  by_time_.reserve(rows.size());
  for (const auto& [key, row] : rows) by_time_.push_back(row);
}

const PackedConversation* PackedConversations::find(std::string_view id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &*found;
}

std::optional<PackedConversation> PackedConversations::take(std::string_view id) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return std::nullopt;
  by_time_.erase(std::ranges::lower_bound(by_time_, &*found, is_before));
  return std::move(by_id_.extract(found).value());
}

void PackedConversations::visit(const Visitor& visitor) const {
  for (const PackedConversation& conversation : by_id_)
    if (!visitor(conversation)) return;
}

void PackedConversations::visit_newest(std::string_view before, const Visitor& visitor) const {
  auto at = by_time_.end();
  if (const std::size_t space = before.find(' '); space != std::string_view::npos) {
    const PackedPosition end{.updated_at = before.substr(0, space), .id = before.substr(space + 1)};
    at = std::ranges::partition_point(by_time_, [&](Row row) { return row->position() < end; });
  }
  while (at != by_time_.begin())
    if (!visitor(**--at)) return;
}

}  // namespace parlance::hub

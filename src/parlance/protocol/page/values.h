// SPDX-License-Identifier: Apache-2.0
// What `done` carries: the values with which the host answers requests of the page (messages.h). Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/wire/call.h"
#include "parlance/wire/describe.h"

namespace parlance::page {

using wire::field;
using wire::fields;
using wire::Nothing;

// What all requests say of themselves.
namespace request_doc {
inline constexpr std::string_view request = "The page's name for this request; the answer carries it.";
inline constexpr std::string_view conversation = "Id of the conversation.";
}  // namespace request_doc

struct OpenedValue {
  std::vector<wire::Raw> events{};
  std::uint64_t last_seq = 0;
  std::uint64_t first_seq = 0;
  static constexpr auto wire =
      fields(field<&OpenedValue::events>("events", "In order.").holding("Event"),
             field<&OpenedValue::last_seq>("last_seq", "Live events go on after it."),
             field<&OpenedValue::first_seq>("first_seq", "Of the events; after the last when there are none."));
};
struct OlderValue {
  std::vector<wire::Raw> events{};
  std::uint64_t first_seq = 0;
  static constexpr auto wire = fields(field<&OlderValue::events>("events", "In order.").holding("Event"),
                                      field<&OlderValue::first_seq>("first_seq", "Of the events; 1 when nothing older exists."));
};
struct ConversationValue {
  wire::Raw conversation{};
  static constexpr auto wire =
      fields(field<&ConversationValue::conversation>("conversation", "As it is now.").holding("Conversation"));
};
enum class Category : std::uint8_t { preference, decision, fact, entity, other };
constexpr auto wire_names(Category) { return wire::names("preference", "decision", "fact", "entity", "other"); }

struct Memory {
  std::string id{};
  std::string text{};
  Category category = Category::other;
  double importance = 0;
  std::string source{};
  std::optional<std::string> conversation{};
  std::optional<std::uint64_t> event{};
  std::string created_at{};
  std::optional<double> score{};
  std::optional<std::string> matched{};
  static constexpr auto wire =
      fields(field<&Memory::id>("id", "Names it."), field<&Memory::text>("text", "What is remembered."),
             field<&Memory::category>("category", "Of what kind it is; what an agent tells beyond these is other."),
             field<&Memory::importance>("importance", "0 to 1."),
             field<&Memory::source>("source", "Who made it: agent, manual, import, …"),
             field<&Memory::conversation>("conversation", "Id of the conversation that it comes from, which may be gone."),
             field<&Memory::event>("event", "Number of the message in it."),
             field<&Memory::created_at>("created_at", "RFC 3339; empty when the agent does not tell."),
             field<&Memory::score>("score", "Of a search: 0 to 1, from 0.7 on a match."),
             field<&Memory::matched>("matched", "Of a search: keyword, vector or both."));
};
struct MemoriesValue {
  std::vector<Memory> memories{};
  std::optional<std::string> next{};
  static constexpr auto wire =
      fields(field<&MemoriesValue::memories>("memories", "Best or newest first."),
             field<&MemoriesValue::next>("next", "`before` of the next page; absent: this was the last."));
};
struct KeptSession {
  std::string id{};
  std::string title{};
  std::string updated_at{};
  static constexpr auto wire =
      fields(field<&KeptSession::id>("id", "The agent's name for it."), field<&KeptSession::title>("title", "May be empty."),
             field<&KeptSession::updated_at>("updated_at", "RFC 3339; empty when the agent does not tell."));
};
struct KeptSessionsValue {
  std::vector<KeptSession> sessions{};
  static constexpr auto wire =
      fields(field<&KeptSessionsValue::sessions>("sessions", "Newest first, without those that are conversations already."));
};
struct SearchHit {
  std::string conversation{};
  std::uint64_t seq = 0;
  std::string snippet{};
  static constexpr auto wire = fields(field<&SearchHit::conversation>("conversation", "Where it was said."),
                                      field<&SearchHit::seq>("seq", "Number of the event with which the text begins."),
                                      field<&SearchHit::snippet>("snippet", "One line around the words."));
};
struct SearchValue {
  std::vector<SearchHit> hits{};
  static constexpr auto wire =
      fields(field<&SearchValue::hits>("hits", "The newest place of each conversation, newest conversation first."));
};
struct FilesValue {
  std::vector<std::string> paths{};
  bool all = true;
  static constexpr auto wire = fields(field<&FilesValue::paths>("paths", "Relative to the folder, best first."),
                                      field<&FilesValue::all>("all", "False: the folder has more files than are looked at."));
};
struct PromptedValue {
  std::optional<std::string> turn{};
  std::optional<std::string> queued{};
  static constexpr auto wire = fields(field<&PromptedValue::turn>("turn", "The turn that runs, or"),
                                      field<&PromptedValue::queued>("queued", "the place where it waits."));
};

struct AttachmentLimits {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::uint64_t picture_bytes = 0;
  std::vector<std::string> media_types{};
  static constexpr auto wire =
      fields(field<&AttachmentLimits::files>("files", "With one prompt, at most."),
             field<&AttachmentLimits::bytes>("bytes", "Of all files of one prompt together, at most."),
             field<&AttachmentLimits::picture_bytes>("picture_bytes", "Of each file of a type image/…, at most."),
             field<&AttachmentLimits::media_types>(
                 "media_types", "What agents can be shown that do not say it themselves; text/* is every text."));
};

}  // namespace parlance::page

// SPDX-License-Identifier: Apache-2.0
// The values in `done`, the host's answer to a request of the page (messages.h). Values; any thread.
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

// Descriptions of the fields of all requests.
namespace request_doc {
inline constexpr std::string_view request = "Id of the request, chosen by the page. The answer has the same id.";
inline constexpr std::string_view conversation = "Id of the conversation.";
}  // namespace request_doc

struct OpenedValue {
  std::vector<wire::Raw> events{};
  std::uint64_t last_seq = 0;
  std::uint64_t first_seq = 0;
  static constexpr auto wire = fields(
      field<&OpenedValue::events>("events", "Events in order.").holding("Event"),
      field<&OpenedValue::last_seq>("last_seq", "Number of the newest event. Live events follow."),
      field<&OpenedValue::first_seq>("first_seq", "Number of the first event. Without events, one more than the newest event."));
};
struct OlderValue {
  std::vector<wire::Raw> events{};
  std::uint64_t first_seq = 0;
  static constexpr auto wire =
      fields(field<&OlderValue::events>("events", "Events in order.").holding("Event"),
             field<&OlderValue::first_seq>("first_seq", "Number of the first event. 1: no older event exists."));
};
struct ConversationValue {
  wire::Raw conversation{};
  static constexpr auto wire = fields(
      field<&ConversationValue::conversation>("conversation", "The conversation in its present state.").holding("Conversation"));
};
struct AskValue {
  wire::Raw ask{};
  static constexpr auto wire = fields(field<&AskValue::ask>("ask", "The answered request in its present state.").holding("Ask"));
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
      fields(field<&Memory::id>("id", "Id of the memory."), field<&Memory::text>("text", "The remembered text."),
             field<&Memory::category>("category", "Category of the memory. Unknown categories of an agent become other."),
             field<&Memory::importance>("importance", "Importance from 0 to 1."),
             field<&Memory::source>("source", "Origin of the memory, such as agent, manual or import."),
             field<&Memory::conversation>("conversation",
                                          "Id of the conversation that created the memory. The conversation may be deleted."),
             field<&Memory::event>("event", "Number of the event that created the memory."),
             field<&Memory::created_at>("created_at", "Time of creation, RFC 3339. Empty: the agent does not report the time."),
             field<&Memory::score>("score", "With a search: similarity from 0 to 1. A match has at least 0.7."),
             field<&Memory::matched>("matched", "With a search: kind of the match, keyword, vector or both."));
};
struct MemoriesValue {
  std::vector<Memory> memories{};
  std::optional<std::string> next{};
  static constexpr auto wire =
      fields(field<&MemoriesValue::memories>("memories", "Memories, best match or newest first."),
             field<&MemoriesValue::next>("next", "The `before` of the next page. Absent: this is the last page."));
};
struct KeptSession {
  std::string id{};
  std::string title{};
  std::string updated_at{};
  static constexpr auto wire =
      fields(field<&KeptSession::id>("id", "The agent's id of the session."),
             field<&KeptSession::title>("title", "Title of the session. May be empty."),
             field<&KeptSession::updated_at>("updated_at",
                                             "Time of the last change, RFC 3339. Empty: the agent does not report the time."));
};
struct KeptSessionsValue {
  std::vector<KeptSession> sessions{};
  static constexpr auto wire =
      fields(field<&KeptSessionsValue::sessions>("sessions", "Sessions without a conversation, newest first."));
};
struct ConversationsValue {
  std::vector<wire::Raw> conversations{};
  std::optional<std::string> older{};
  static constexpr auto wire = fields(
      field<&ConversationsValue::conversations>("conversations", "Conversations, latest change first.").holding("Conversation"),
      field<&ConversationsValue::older>("older", "The `before` of the next page. Absent: this is the last page."));
};
struct SearchHit {
  std::string conversation{};
  std::uint64_t seq = 0;
  std::string snippet{};
  static constexpr auto wire = fields(field<&SearchHit::conversation>("conversation", "Id of the conversation with the text."),
                                      field<&SearchHit::seq>("seq", "Number of the event at the beginning of the text."),
                                      field<&SearchHit::snippet>("snippet", "One line of text around the words."));
};
struct SearchValue {
  std::vector<SearchHit> hits{};
  static constexpr auto wire =
      fields(field<&SearchValue::hits>("hits", "The newest match of each conversation, newest conversation first."));
};
struct FilesValue {
  std::vector<std::string> paths{};
  bool all = true;
  static constexpr auto wire = fields(field<&FilesValue::paths>("paths", "Paths relative to the folder, best match first."),
                                      field<&FilesValue::all>("all", "False: the folder has more files than the search read."));
};
struct PromptedValue {
  std::optional<std::string> turn{};
  std::optional<std::string> queued{};
  static constexpr auto wire =
      fields(field<&PromptedValue::turn>("turn", "Id of the started turn. Absent: the prompt is queued."),
             field<&PromptedValue::queued>("queued", "Id of the queued prompt. Absent: the turn started."));
};

struct AttachmentLimits {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::uint64_t picture_bytes = 0;
  std::vector<std::string> media_types{};
  static constexpr auto wire =
      fields(field<&AttachmentLimits::files>("files", "Highest number of files with a prompt."),
             field<&AttachmentLimits::bytes>("bytes", "Highest number of bytes in all files of a prompt."),
             field<&AttachmentLimits::picture_bytes>("picture_bytes", "Highest number of bytes in a file of a type image/…."),
             field<&AttachmentLimits::media_types>(
                 "media_types", "Media types for agents that report none themselves. text/* means every text."));
};

}  // namespace parlance::page

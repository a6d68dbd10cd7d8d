// SPDX-License-Identifier: Apache-2.0
// The limits of the hub and its conversations: name, unit, reason. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr std::size_t unwritten_event_bytes = 1 << 20;  // Agents wait while more bytes are unwritten.
inline constexpr auto resumed_within = 10min;                  // Turns older than this do not continue without a request.
inline constexpr auto stop_grace = 5s;                         // For an agent to end a stopped turn.
inline constexpr auto agent_setting_timeout = 10s;             // For an agent to accept a new mode or model.
inline constexpr std::size_t prompt_bytes = 4 << 20;           // A pasted log file; larger texts belong in a file.
inline constexpr std::size_t prompt_attachments = 100;         // Limit of Anthropic's API for a request.
// In base64 below 32 MB, the request limit of Anthropic's API, with room for text.
inline constexpr std::size_t prompt_attachment_bytes = 20 << 20;
inline constexpr std::size_t queued_prompts = 50;            // Of a conversation.
inline constexpr std::size_t conversation_title_bytes = 80;  // One line of a list.
inline constexpr std::size_t kept_sessions = 200;            // Newest sessions of an agent in a folder: a list for a person.
inline constexpr std::size_t searched_conversations = 50;    // A list for a person.
inline constexpr std::size_t searched_parts = 500;           // Of logs, in one read of the index: some milliseconds.
inline constexpr std::size_t page_events = 2000;             // Events in an answer, unless a frontend requests fewer.
inline constexpr std::size_t page_events_most = 20000;
// The time limit of an unanswered command: two leases and the detection of a dead owner.
inline constexpr auto command_wait = 40s;
inline constexpr auto released_after = 10min;         // After this idle time another hub may take a conversation over.
inline constexpr auto replication_retry = 1s;         // The store's failure may be temporary.
inline constexpr std::size_t watcher_changes = 1024;  // Waiting for a frontend; at 60 changes a second, 17 s of silence.
inline constexpr std::size_t watcher_bytes = 8 << 20;
inline constexpr std::size_t file_read_bytes = 256 << 10;  // Of an answer to a model: some 64,000 tokens.
inline constexpr std::size_t file_edit_bytes = 8 << 20;    // Of a file that is written or edited.

}  // namespace parlance::limits

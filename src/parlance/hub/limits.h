// SPDX-License-Identifier: Apache-2.0
// The limits of hub: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr std::size_t unwritten_event_bytes = 1 << 20;  // An agent is asked to wait while more is not on disk yet.
inline constexpr auto taken_up_within = 10min;      // What was not waited for any more is not begun again, unasked, another day.
inline constexpr auto stop_grace = 5s;              // For an agent to end a turn that was stopped.
inline constexpr auto agent_setting_timeout = 10s;  // For an agent to take a new mode or model.
inline constexpr std::size_t prompt_bytes = 4 << 20;              // A pasted log file; more belongs into a file.
inline constexpr std::size_t prompt_attachments = 100;            // What Anthropic's API takes in one request.
inline constexpr std::size_t prompt_attachment_bytes = 20 << 20;  // In base64 they leave room in what that API takes, 32 MB.
inline constexpr std::size_t queued_prompts = 50;                 // Of one conversation.
inline constexpr std::size_t conversation_title_bytes = 80;       // One line of a list.
inline constexpr std::size_t kept_sessions = 200;          // Told of one agent and folder, the newest: a list to look through.
inline constexpr std::size_t searched_conversations = 50;  // A list that a person reads.
inline constexpr std::size_t page_events = 2000;           // Events a face gets at once, unless it asks for fewer.
inline constexpr std::size_t page_events_most = 20000;
// A command that nobody did for so long is given up: two leases and what it takes to find out.
inline constexpr auto command_wait = 40s;
inline constexpr auto released_after = 10min;         // Another hub may have what nobody used here for so long.
inline constexpr auto news_retry = 1s;                // A store that fails may work again.
inline constexpr std::size_t watcher_changes = 1024;  // Waiting for one face; at 60 a second, 17 s of silence.
inline constexpr std::size_t watcher_bytes = 8 << 20;

}  // namespace parlance::limits

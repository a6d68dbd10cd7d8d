// Every limit of the project: its name, its unit, and the reason for the number.
// A limit that a person may change is a field of a settings struct whose default is taken from here.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace parlance::limits {

using namespace std::chrono_literals;

// ---- frames and queues --------------------------------------------------------------------------------------------
// One frame of any text dialect. Whole files and base64 images travel in one line; the Claude CLI writes lines of 50 MiB.
inline constexpr std::size_t frame_bytes = 64 << 20;
// A connection's first read buffer: small, because ten thousand idle connections keep one each.
inline constexpr std::size_t read_buffer_first_bytes = 1 << 10;
// It doubles while reads fill it. 256 KiB is where larger reads of a pipe or socket stop paying.
inline constexpr std::size_t read_buffer_most_bytes = 256 << 10;
// Bytes waiting to be written at which a producer of frames is made to wait: four full pipes of Linux.
inline constexpr std::size_t write_queue_bytes = 256 << 10;
// A peer that takes nothing for so long while bytes wait for it is gone in all but name.
inline constexpr auto stall = 120s;
// Nesting of JSON documents. Deeper than any schema met so far; shallow enough for a recursive reader.
inline constexpr int json_depth = 512;

// ---- calls --------------------------------------------------------------------------------------------------------
// Handlers running at once on one connection; a request above it is answered `overloaded` or left unread.
inline constexpr std::size_t running_calls = 256;
// Calls waiting for their reply on one connection.
inline constexpr std::size_t pending_calls = 4096;
// Default deadline of a call whose dialect names none.
inline constexpr auto call_timeout = 30s;

// ---- JSON Schema --------------------------------------------------------------------------------------------------
// Schemas come from hosts, values from models: both may be made to cost much. A step is one schema looked at for one value.
inline constexpr int schema_depth = 512;                        // Schemas within each other while a value is looked at.
inline constexpr std::size_t schema_steps = 2'000'000;          // Of one value: a second; real ones need some thousands.
inline constexpr std::size_t schema_faults = 5;                 // Told of one value: a model mends these, and asks again.
inline constexpr std::size_t schema_pattern_bytes = 4 << 10;    // zod's for a point in time has 500.
inline constexpr std::size_t schema_pattern_steps = 20'000;     // What repetitions multiply to.
inline constexpr int schema_pattern_depth = 100;                // Groups within groups.
inline constexpr std::size_t schema_pattern_work = 50'000'000;  // For all texts of one value: half a second.

// ---- gob ----------------------------------------------------------------------------------------------------------
inline constexpr std::size_t gob_message_bytes = 64 << 20;      // A Chat carries its whole history.
inline constexpr int gob_depth = 200;                           // Go dies of 10^6 nested values; real ones nest below 20.
inline constexpr std::size_t gob_types = 1024;                  // Type definitions on one stream; seed 001 needs 14.
inline constexpr std::size_t gob_fields = 1024;                 // Fields of one type.
inline constexpr std::size_t gob_name_bytes = 1024;             // Go's own limit for names of concrete types.
inline constexpr std::size_t gob_definition_bytes = 256 << 10;  // All definitions of one stream; seed 001 needs 600 bytes.
inline constexpr std::size_t gob_plan_steps =
    16 << 10;  // Fields that one stream's types may make us remember how to read; a Chat: 40.
// Memory that one value may take. A list of empty structs grows a hundredfold from its one byte an element.
inline constexpr std::size_t gob_value_bytes = 256 << 20;
inline constexpr int gob_stray_bodies = 16;  // Values out of step in a row before a stream is given up.

// ---- child processes ------------------------------------------------------------------------------------------------
inline constexpr auto child_eof_grace = 2s;                // After its stdin closed, before SIGTERM.
inline constexpr auto child_term_grace = 5s;               // After SIGTERM, before SIGKILL (what editors give their children).
inline constexpr std::size_t stderr_tail_bytes = 4 << 10;  // Kept to explain a death; about forty lines.
inline constexpr std::size_t stderr_line_bytes = 8 << 10;  // A longer line of stderr is cut; logs and people read no longer ones.
// Between the end of a child's output and its end: the kernel closes the one shortly before it tells the other.
inline constexpr auto child_exit_patience = 1s;
// For the process that kills our children should we die: to take a message, to end. It does both in microseconds.
inline constexpr auto guard_patience = 5s;

// ---- Claude Code ------------------------------------------------------------------------------------------------------
inline constexpr auto claude_start = 60s;         // For its first answer: it takes up to 4 s, on a busy machine many times that.
inline constexpr auto claude_call_timeout = 30s;  // For any other; 2.0.76 never answers what it does not know.
inline constexpr auto claude_interrupt_grace = 2s;  // For the result of a turn that is to end.
inline constexpr auto claude_eof_grace = 2s;  // After its stdin closed, before SIGTERM: it needs 0.1 s, or a running tool's time.
inline constexpr auto claude_term_grace = 2s;                     // After SIGTERM, before SIGKILL: it needs 0.2 s.
inline constexpr auto claude_hook_timeout = 60s;                  // Of a hook that names none.
inline constexpr std::size_t claude_hook_output_bytes = 1 << 20;  // Of a hook's answer.
inline constexpr std::int64_t claude_thinking_tokens = 16'000;    // When a person wants it to think.
inline constexpr int claude_structured_output_tries = 5;          // For an answer that fits the host's schema; as Claude Code.

// ---- waiting for the agent ------------------------------------------------------------------------------------------
inline constexpr auto agent_wait = 20s;     // The deployed gateway waits as long.
inline constexpr auto agent_retry = 300ms;  // … and tries as often; a watch on the socket's folder wakes us sooner.

// ---- language models -------------------------------------------------------------------------------------------------
inline constexpr auto model_connect = 10s;
inline constexpr auto model_idle = 300s;    // Reasoning models stay silent for minutes before their first byte.
inline constexpr auto model_total = 3600s;  // One answer with all attempts; the longest known reasoning runs take half of it.
inline constexpr int model_attempts = 5;    // With the waits below: about 8 s of trouble are bridged.
inline constexpr auto model_retry_first = 500ms;  // Doubles, half of it random, so that clients do not come back in step.
inline constexpr auto model_retry_most = 30s;
inline constexpr auto model_retry_after_most = 120s;         // A server that asks for more is an error now: a person should know.
inline constexpr std::size_t model_answer_bytes = 32 << 20;  // Text, reasoning and arguments; real ones stay below 1 MiB.
inline constexpr std::size_t model_answer_calls = 256;       // Tool calls of one answer.
inline constexpr std::size_t model_error_text_bytes = 600;   // Of a server's own words in our error: its sentence, not its page.
inline constexpr long long model_max_tokens = 8192;          // Where an API demands a number: all current models allow it.
inline constexpr std::size_t model_kept_reasonings = 256;    // Signed thinking kept by call id, for one tool loop each.
inline constexpr std::size_t running_chats = 64;             // Of one agent; each holds a connection and a history in memory.

// ---- conversations ----------------------------------------------------------------------------------------------------
// Pieces of text are joined for so long, or until they are so big, before they become one event: a screen shows 60 pictures a
// second, and a webview takes some 7,000 messages.
inline constexpr auto event_piece_time = 16ms;
inline constexpr std::size_t event_piece_bytes = 4 << 10;
inline constexpr std::size_t unwritten_event_bytes = 1 << 20;     // An agent is asked to wait while more is not on disk yet.
inline constexpr auto store_retry = 2s;                           // A full disk or a locked database may pass.
inline constexpr auto stop_grace = 5s;                            // For an agent to end a turn that was stopped.
inline constexpr auto agent_setting_timeout = 10s;                // For an agent to take a new mode or model.
inline constexpr std::size_t prompt_bytes = 4 << 20;              // A pasted log file; more belongs into a file.
inline constexpr std::size_t prompt_attachments = 100;            // What Anthropic's API takes in one request.
inline constexpr std::size_t prompt_attachment_bytes = 20 << 20;  // In base64 they leave room in what that API takes, 32 MB.
inline constexpr std::size_t queued_prompts = 50;                 // Of one conversation.
inline constexpr std::size_t conversation_title_bytes = 80;       // One line of a list.
inline constexpr std::size_t page_events = 2000;                  // Events a face gets at once, unless it asks for fewer.
inline constexpr std::size_t page_events_most = 20000;
inline constexpr std::size_t watcher_changes = 1024;  // Waiting for one face; at 60 a second, 17 s of silence.
inline constexpr std::size_t watcher_bytes = 8 << 20;

// ---- faces of the gateway ------------------------------------------------------------------------------------------------
// Changes of one such time travel to a page in one message: a screen shows 60 pictures a second.
inline constexpr auto page_batch_time = 16ms;
inline constexpr std::size_t page_requests = 64;                // Running for one page; above it reading stops.
inline constexpr std::size_t page_change_texts = 1024;          // Changes whose JSON is kept for the next page that wants it,
inline constexpr std::size_t page_change_text_bytes = 4 << 20;  // … and how much of it.
inline constexpr std::size_t unsent_answer_bytes =
    8 << 20;                                     // Of one HTTP answer whose client reads more slowly than the model writes.
inline constexpr auto sse_keep_alive = 15s;      // Proxies cut streams that stay silent for a minute or less.
inline constexpr std::size_t waiting_chats = 8;  // Behind the running one, on one /ws/chat connection.

// ---- tools on files and commands -----------------------------------------------------------------------------------------
inline constexpr std::size_t file_read_bytes = 256 << 10;  // Of one answer to a model: some 64,000 tokens.
inline constexpr std::size_t file_edit_bytes = 8 << 20;    // Of a file that is written or edited.
inline constexpr std::size_t file_list_entries = 1000;
inline constexpr std::size_t search_hits = 200;
inline constexpr std::size_t search_files = 50000;         // Looked into by one search.
inline constexpr std::size_t search_line_bytes = 400;      // Shown of a line that matched.
inline constexpr std::size_t search_pattern_bytes = 1000;  // std::regex recurses with the length of what it matches.
inline constexpr auto search_time = 10s;
inline constexpr std::size_t command_output_bytes = 64 << 10;  // Kept of a command's output: first and last half.

// ---- storage ------------------------------------------------------------------------------------------------------------
inline constexpr auto sqlite_busy = 15s;                    // Ten writers at once wait for each other, not for a person.
inline constexpr std::size_t memory_text_bytes = 32 << 10;  // One memory; longer texts are documents.
inline constexpr std::size_t memory_query_bytes = 4 << 10;
inline constexpr std::size_t memory_hits = 100;
// Of a vector search: rows of the scan that are kept, and of those, how many exact rows are read at once. Reading ends when no other can
// be among the nearest, mostly after the first time. With the most, a thousand near-duplicates are told apart.
inline constexpr std::size_t vector_shortlist_rows = 128;
inline constexpr std::size_t vector_shortlist_most = 1600;
inline constexpr std::size_t vector_exact_rows = 32;
// int8 rows that one core scans in 15 ms (900,000 of 384 components; bench/results.md): more are searched by a graph, …
inline constexpr std::size_t approximate_index_bytes = 350'000'000;
// … whose searches keep so many candidates, or twice as many until they find this share of the true ten nearest. Where the most
// does not, scanning goes on: it is slower than a graph, but right.
inline constexpr std::size_t approximate_breadth = 64;
inline constexpr std::size_t approximate_breadth_most = 1024;
inline constexpr double approximate_recall = 0.99;
// Texts that one search looks at for their words, and words of a query that are looked up: a search takes half a millisecond.
inline constexpr std::size_t memory_candidates = 64;
inline constexpr std::size_t memory_scored = 32;  // Of those; the vectors propose others.
inline constexpr std::size_t memory_query_parts = 16;
inline constexpr std::size_t memory_other_words = 20;  // Of one word of a query that the index is asked for as well.
// A put of so many looks for others that say nearly the same; that is a search each, too much for an import of thousands.
inline constexpr std::size_t memory_similar_puts = 16;
inline constexpr std::size_t memory_similar_told = 5;
inline constexpr std::int64_t memory_changes_kept =
    100'000;                                             // Of the log that indexes follow; behind it they load anew, in a second.
inline constexpr std::size_t memory_embed_batch = 128;   // Texts that get vectors in the background at once: 20 ms of the worker.
inline constexpr auto memory_embed_recheck = 30s;        // Other processes store without vectors, too.
inline constexpr auto memory_embedder_pause = 5s;        // An embedder that failed is left alone for so long.
inline constexpr std::size_t memory_page_entries = 200;  // Of one page of a listing: a few screens.
// What an agent remembers of its own accord before it answers: five hits, told in about 700 tokens, or nothing when the memory
// takes longer than a person notices.
inline constexpr auto recall_time = 1s;
inline constexpr std::size_t recall_entries = 5;
inline constexpr std::size_t recall_bytes = 3 << 10;
inline constexpr std::size_t recall_entry_bytes = 1 << 10;
inline constexpr std::size_t recall_kept = 64;  // Turns that run at once and are told again what was found at their beginning.

// ---- embeddings ---------------------------------------------------------------------------------------------------------
inline constexpr std::size_t embed_texts = 2048;              // Of one request to our service: what OpenAI's API takes.
inline constexpr std::size_t embed_request_bytes = 16 << 20;  // Its body; 2048 texts of 8 KiB.
inline constexpr std::size_t embed_call_texts = 256;  // Joined into one call of the embedder: about 13 ms of the built-in one,
inline constexpr std::size_t embed_call_bytes = 256 << 10;    // … which is what a request that comes meanwhile waits.
inline constexpr std::size_t embed_waiting_bytes = 64 << 20;  // Of texts that wait for the embedder; above it: overloaded.
inline constexpr std::size_t embed_dimension = 1 << 16;       // Of a vector from elsewhere; the largest known model has 12,288.
// What is sent to another service at once: small, because some count a request's tokens and some take 32 texts at most.
inline constexpr std::size_t embed_backend_texts = 32;
inline constexpr std::size_t embed_backend_bytes = 64 << 10;
inline constexpr std::size_t embed_backend_requests = 4;      // At the same time: llama.cpp's server has four places.
inline constexpr std::size_t embed_answer_bytes = 64 << 20;   // 32 vectors of 65,536 numbers, as text.
inline constexpr std::size_t embed_shortest_cut_bytes = 256;  // A text that is too long for a model is halved down to this.
inline constexpr auto embed_total = 60s;                      // One call with all its attempts; deployed clients wait as long.
inline constexpr int embed_attempts = 4;                      // With the waits below: about 2 s of trouble are bridged.
inline constexpr auto embed_retry_first = 250ms;              // Doubles, half of it random.
inline constexpr auto embed_retry_most = 5s;
inline constexpr auto embed_retry_after_most = 30s;             // A service that asks for more is an error now.
inline constexpr std::size_t embedding_cache_bytes = 32 << 20;  // Of vectors kept by the hash of their text: 20,000 of 384.

// ---- databases of a person, opened by sqlite-helper -------------------------------------------------------------------------
inline constexpr std::size_t sqlite_line_bytes = 16 << 20;   // One request; a longer line is passed over.
inline constexpr std::size_t sqlite_requests = 1024;         // Running or waiting at once; above it reading stops.
inline constexpr std::uint64_t sqlite_rows = 1000;           // Of one result: what a grid shows at once.
inline constexpr std::uint64_t sqlite_preview_rows = 50;     // Of a table that is read as a resource.
inline constexpr std::size_t sqlite_result_bytes = 5 << 20;  // Rows of one result as JSON.
inline constexpr std::size_t sqlite_cut_bytes = 64 << 10;    // Kept of a cell in a row that alone passes the limit above.
inline constexpr auto sqlite_request_time = 30s;             // The extension waits as long for an answer.
inline constexpr auto sqlite_read_busy = 2s;                 // For a lock that another program holds, reading
inline constexpr auto sqlite_write_busy = 5s;                // … and writing.
inline constexpr auto sqlite_busy_pause = 5ms;               // Between two looks at such a lock, and at the deadline.
inline constexpr auto sqlite_idle = 60s;                     // Without a request a database is closed.
inline constexpr auto sqlite_stuck_grace = 100ms;            // For a stopped statement to end before it is left behind,
inline constexpr std::size_t sqlite_stuck_workers = 8;       // … and how many of those may run on.
inline constexpr int sqlite_progress_steps = 1000;           // Instructions between two looks at the deadline: some 20 us.
inline constexpr int sqlite_cell_bytes = 64 << 20;           // Of one text or blob that is read.
inline constexpr int sqlite_read_sql_bytes = 1 << 20;        // Of one statement that reads
inline constexpr int sqlite_write_sql_bytes = 16 << 20;      // … and of a script: as much as a line carries.
inline constexpr int sqlite_program_steps = 10'000'000;      // Of one prepared statement; real ones stay below 10,000.
inline constexpr int sqlite_expression_depth = 200;          // SQLite's parser recurses; real ones nest below 50.
inline constexpr int sqlite_trigger_depth = 50;              // Triggers that fire triggers.
inline constexpr std::int64_t sqlite_soft_heap_bytes = 256LL << 20;  // Of the process: above it caches shrink,
inline constexpr std::int64_t sqlite_hard_heap_bytes = 512LL << 20;  // … above this a statement fails.
inline constexpr std::size_t sqlite_undo_writes = 20;                // Changesets kept for undo, of one database and session,
inline constexpr std::size_t sqlite_undo_bytes = 32 << 20;           // … and how large they may be together.
inline constexpr std::size_t sqlite_preview_changes = 100;           // Changed rows that a preview tells with their values.
inline constexpr auto sqlite_progress_pause = 250ms;                 // Between two words about how far a statement is.
inline constexpr auto sqlite_watch_pause = 1s;               // Between two looks at a database that somebody subscribed to.
inline constexpr std::size_t sqlite_known_databases = 1000;  // Whose tables are listed, those that were opened last.
inline constexpr std::uint64_t sqlite_full_check_bytes = 256
                                                         << 20;  // Above it a database's check is the quick one, unless asked.

// ---- Model Context Protocol ----------------------------------------------------------------------------------------------------
inline constexpr std::size_t mcp_page = 100;               // Entries of one page of a list.
inline constexpr std::size_t mcp_completions = 100;        // Of one answer, as the protocol says.
inline constexpr std::size_t mcp_subscriptions = 1000;     // Resources that one client hears of.
inline constexpr std::size_t mcp_body_bytes = 16 << 20;    // Of one HTTP request; images as base64 stay below.
inline constexpr std::size_t mcp_http_sessions = 1000;     // Of one endpoint; above it the one that was idle longest goes.
inline constexpr auto mcp_http_session_idle = 30min;       // Without a request or an open stream a session is forgotten.
inline constexpr std::size_t mcp_http_streams = 256;       // Of one session: answers that are running or wait to be fetched.
inline constexpr std::size_t mcp_stream_bytes = 16 << 20;  // Kept of one stream for a client that comes back.
inline constexpr auto mcp_stream_kept = 60s;               // So long after its last event.
inline constexpr auto mcp_retry = 500ms;                   // What clients wait before they come back for the rest of a stream.
inline constexpr int mcp_resumptions = 20;                 // In a row without an event, before a client gives a stream up.
inline constexpr auto mcp_begin_stream = 1s;               // A call that takes longer is answered as a stream.
inline constexpr auto mcp_call_time = 60s;                 // For a server to answer, unless the caller says otherwise.
inline constexpr auto mcp_tool_time = 10min;               // … a tool of one that is configured: some run builds.
inline constexpr auto mcp_reconnect_first = 1s;            // To a server that went away; doubles up to
inline constexpr auto mcp_reconnect_most = 60s;
inline constexpr auto mcp_end_time = 2s;        // For a server to hear that its session is over.
inline constexpr auto mcp_discover_time = 10s;  // For a server to say which era it is of.
inline constexpr std::size_t mcp_pages = 1000;  // Of one list, before a client takes the server for broken.
inline constexpr int mcp_input_rounds = 20;     // Of one call that needs input again and again.

}  // namespace parlance::limits

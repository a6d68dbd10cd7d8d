// SPDX-License-Identifier: Apache-2.0
// Reads results of servers part by part: a member or entry of the wrong shape is dropped, and the rest stays usable. The typed tables
// (messages.h) refuse the whole result instead, which would lose all tools of a server because of one. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/protocol/mcp/messages.h"

namespace parlance::mcp {

// An entry of a list that cannot be used. `reason` is a sentence for people.
struct LeftOut {
  std::string name{};  // as the server calls the entry; empty: the fault concerns the list itself
  std::string reason{};
};
using LeftOuts = std::vector<LeftOut>;
// "The tool "x" is left out: REASON", one per line.
std::string text_of(const LeftOuts& left_out);

struct ListPage {
  std::vector<Raw> entries{};
  std::optional<std::string> next_cursor{};  // may be empty text; null and values of other types mean the last page
};
// `member` holds the entries; null counts as an empty list. invalid_params: the result has no list there.
Result<ListPage> read_page(const Raw& result, std::string_view member);

// The name of an entry, or "number N" (from 1).
std::string entry_name(const Raw& entry, std::size_t index);

// Title, description and annotations of the wrong type are dropped. A tool without inputSchema takes any arguments.
// invalid_params: the tool has no name, or its inputSchema is no schema of an object.
Result<Tool> read_tool(const Raw& entry);

// Capabilities, serverInfo and instructions of the wrong type are dropped. invalid_params: protocolVersion is missing.
Result<InitializeResult> read_initialize(const Raw& result);

// Text or a single block in the place of `content` counts as a list of one block. An unreadable block becomes text about the fault. A
// result without content is empty. Errors: the result is no JSON.
Result<CallToolResult> read_call_result(const Raw& result);

// The text blocks of a result, one per line. Other blocks are named: "[image/png, 4096 bytes as base64]".
std::string readable(const CallToolResult& result);

}  // namespace parlance::mcp

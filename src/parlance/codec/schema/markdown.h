// SPDX-License-Identifier: Apache-2.0
// Markdown tables of declared messages, for docs/protocol. Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/wire/call.h"

namespace parlance::schema {

// One table for each object that `roots` reach, each once, in the order of first use.
std::string markdown_types(const std::vector<const wire::Type*>& roots);

// "| `Chat` | `ChatArgs` | `ChatReply` | One step of a conversation |" for each method, under a table head.
std::string markdown_methods(std::span<const wire::Method> methods);
// Parameter and reply types of the methods, for markdown_types.
std::vector<const wire::Type*> types_of(std::span<const wire::Method> methods);

// "| `text` | `Text` |" for each alternative, under a table head.
std::string markdown_union(const wire::Type& type);

}  // namespace parlance::schema

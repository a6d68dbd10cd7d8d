// SPDX-License-Identifier: Apache-2.0
// Requests of a page about the agent's memory. values.h declares the answers. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/protocol/page/values.h"
#include "parlance/wire/call.h"

namespace parlance::page {

// Searches the memory of the agent. Hosts with the capability "memory" serve these requests.
struct SearchMemories {
  static constexpr std::string_view tag = "memory_search";
  using Value = MemoriesValue;
  std::string request{};
  std::string query{};
  std::optional<Category> category{};
  static constexpr auto wire =
      fields(field<&SearchMemories::request>("request", request_doc::request),
             field<&SearchMemories::query>("query", "Text to find, by meaning and by words."),
             field<&SearchMemories::category>("category", "Search only this category. Absent: all categories."));
};
struct ListMemories {
  static constexpr std::string_view tag = "memory_list";
  using Value = MemoriesValue;
  std::string request{};
  std::optional<Category> category{};
  std::optional<std::string> conversation{};
  std::optional<std::string> before{};
  std::optional<std::uint64_t> limit{};
  static constexpr auto wire = fields(
      field<&ListMemories::request>("request", request_doc::request),
      field<&ListMemories::category>("category", "Return only this category. Absent: all categories."),
      field<&ListMemories::conversation>("conversation", "Return only memories of this conversation. Absent: all conversations."),
      field<&ListMemories::before>("before", "The `next` of the page before. Absent: start with the newest."),
      field<&ListMemories::limit>("limit", "Highest number of memories."));
};
struct ForgetMemory {
  static constexpr std::string_view tag = "memory_forget";
  using Value = Nothing;
  std::string request{};
  std::string id{};
  static constexpr auto wire = fields(field<&ForgetMemory::request>("request", request_doc::request),
                                      field<&ForgetMemory::id>("id", "Id of the memory. It is deleted permanently."));
};

}  // namespace parlance::page

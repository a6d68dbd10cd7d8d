// SPDX-License-Identifier: Apache-2.0
// Types of the memory methods between a gateway and an agent; messages.h declares the methods.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/wire/describe.h"

namespace parlance::gorpc {

using wire::field;
using wire::fields;

inline constexpr std::string_view whose_memory = "User of the memory. Empty: the person of the machine. An addition of parlance.";

struct StatsOfArgs {
  std::string user{};
  static constexpr auto wire = fields(field<&StatsOfArgs::user>("User", whose_memory).or_default());
};

struct MemorySearchArgs {
  std::string query{};
  std::string category{};
  std::int64_t limit = 0;
  double min_score = 0;
  // Additions of parlance; other Go programs skip them.
  bool min_score_given = false;
  std::string user{};
  static constexpr auto wire = fields(
      field<&MemorySearchArgs::query>("Query", "Text to find.").or_default(),
      field<&MemorySearchArgs::category>("Category", "Search only this category. Empty: all categories.").or_default(),
      field<&MemorySearchArgs::limit>("Limit", "Highest number of results. 0 means 5.").or_default(),
      field<&MemorySearchArgs::min_score>("MinScore",
                                          "Lowest score of a result, from 0 to 1. 0 means 0.7, unless MinScoreGiven is true.")
          .or_default(),
      field<&MemorySearchArgs::min_score_given>("MinScoreGiven", "True: MinScore applies even if 0, a value that gob leaves out.")
          .or_default(),
      field<&MemorySearchArgs::user>("User", whose_memory).or_default());
};
struct MemoryGetArgs {
  std::string path{};
  std::string user{};
  static constexpr auto wire = fields(field<&MemoryGetArgs::path>("Path", "Id of the memory.").or_default(),
                                      field<&MemoryGetArgs::user>("User", whose_memory).or_default());
};
struct MemoryStoreArgs {
  std::string text{};
  std::string category{};
  std::optional<double> importance{};  // a Go program's gob leaves 0 out
  // Additions of parlance; other Go programs skip them.
  bool importance_given = false;
  std::string source{};
  std::string conversation{};
  std::int64_t event = 0;
  std::string user{};
  static constexpr auto wire = fields(
      field<&MemoryStoreArgs::text>("Text", "Text to remember.").or_default(),
      field<&MemoryStoreArgs::category>("Category",
                                        "Category of the memory: preference, decision, fact, entity or other. Empty means other.")
          .or_default(),
      field<&MemoryStoreArgs::importance>("Importance", "Importance from 0 to 1. Absent means 0.7, unless ImportanceGiven."),
      field<&MemoryStoreArgs::importance_given>("ImportanceGiven",
                                                "True: an absent Importance means 0, because gob does not send a 0.")
          .or_default(),
      field<&MemoryStoreArgs::source>("Source", "Origin of the memory, such as agent or manual. Empty means manual.")
          .or_default(),
      field<&MemoryStoreArgs::conversation>("Conversation", "Id of the conversation that created the memory. Empty: none.")
          .or_default(),
      field<&MemoryStoreArgs::event>("Event", "Number of the event that created the memory. 0: none.").or_default(),
      field<&MemoryStoreArgs::user>("User", whose_memory).or_default());
};
// Additions of parlance to the deployed three methods: list and delete memories.
struct MemoryListArgs {
  std::string category{};
  std::string conversation{};
  std::string before{};
  std::int64_t limit = 0;
  std::string user{};
  static constexpr auto wire = fields(
      field<&MemoryListArgs::category>("Category", "Return only this category. Empty: all categories.").or_default(),
      field<&MemoryListArgs::conversation>("Conversation", "Return only memories of this conversation. Empty: all conversations.")
          .or_default(),
      field<&MemoryListArgs::before>("Before", "Id of the last memory of the page before. Empty: start with the newest.")
          .or_default(),
      field<&MemoryListArgs::limit>("Limit", "Highest number of memories. 0 means 50.").or_default(),
      field<&MemoryListArgs::user>("User", whose_memory).or_default());
};
struct MemoryForgetArgs {
  std::string path{};
  std::string user{};
  static constexpr auto wire = fields(field<&MemoryForgetArgs::path>("Path", "Id of the memory.").or_default(),
                                      field<&MemoryForgetArgs::user>("User", whose_memory).or_default());
};
struct ToolResultReply {
  std::string result{};
  static constexpr auto wire = fields(field<&ToolResultReply::result>("Result", "A JSON document as text.").or_default());
};

}  // namespace parlance::gorpc

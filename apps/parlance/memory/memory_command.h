// SPDX-License-Identifier: Apache-2.0
// parlance memory …: the common part of the command's files. Main thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/parlance/config/settings.h"
#include "apps/parlance/exit_code.h"
#include "parlance/async/loop.h"
#include "parlance/codec/json/value.h"
#include "parlance/store/memory/memory_on_worker.h"

namespace parlance::app {

struct MemoryCommand {
  std::vector<std::string> words;  // the text, the query, ids, or a file
  std::string category;
  std::string conversation;
  std::string source;
  std::string before;
  std::string user;  // user of the memory; "": the person of this machine
  std::string from_sqlite;
  double importance = 0.7;
  double min_score = 0.7;
  std::size_t limit = 0;  // 0: the usual number
  bool json = false;
};

// The memory of the settings, with its embedder; other programs may use the memory meanwhile.
struct OpenMemory {
  OpenMemory(Loop& on, const Settings& settings, memory::Embedder& embedder, std::string whose);
  Loop& loop;
  std::string state;
  std::string shared;  // the address of the database, with its password; "": a file
  std::string place;   // the same for people
  std::string user;
  std::unique_ptr<store::MemoryOnWorker> opened;
  store::MemoryOnWorker& store;
};

using MemoryWork = int (*)(OpenMemory& memory, const MemoryCommand& command);
int store_memory(OpenMemory& memory, const MemoryCommand& command);
int search_memories(OpenMemory& memory, const MemoryCommand& command);
int get_memory(OpenMemory& memory, const MemoryCommand& command);
int list_memories(OpenMemory& memory, const MemoryCommand& command);
int delete_memories(OpenMemory& memory, const MemoryCommand& command);
int forget_memories(OpenMemory& memory, const MemoryCommand& command);
int export_memories(OpenMemory& memory, const MemoryCommand& command);
int import_memories(OpenMemory& memory, const MemoryCommand& command);
int print_stats(OpenMemory& memory, const MemoryCommand& command);
int explain_memory(OpenMemory& memory, const MemoryCommand& command);
int serve_memories(OpenMemory& memory, const MemoryCommand& command);

// Opens the memory of the settings and runs the command.
int run_memory(const Settings& settings, const MemoryCommand& command, MemoryWork work);

int print_json(json::Value value);
std::optional<memory::Category> category_option(const MemoryCommand& command);  // memory_flags.cpp admits only categories

}  // namespace parlance::app

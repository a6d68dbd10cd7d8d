// parlance memory …: what the files of the command share. Main thread.
#pragma once

#include <optional>
#include <string>

#include "async/loop.h"
#include "codec/json/value.h"
#include "commands.h"
#include "store/memory_sqlite.h"

namespace parlance::app {

// The database of the state folder, with the embedder of the settings; other programs may use it meanwhile.
struct OpenMemory {
  OpenMemory(Loop& on, const Settings& settings, memory::Embedder& embedder)
      : loop(on), state(state_folder(settings)), store(on, state, embedder) {}
  Loop& loop;
  std::string state;
  store::MemorySqlite store;
};

int print_json(json::Value value);
std::optional<memory::Category> category_option(const MemoryCommand& command);  // main.cpp lets only those through

int export_memories(OpenMemory& memory, const MemoryCommand& command);
int import_memories(OpenMemory& memory, const MemoryCommand& command);

}  // namespace parlance::app

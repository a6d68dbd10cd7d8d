// SPDX-License-Identifier: Apache-2.0
// What a person may say to each command of `parlance memory`. Main thread.
#pragma once

#include "apps/parlance/command.h"

namespace parlance::app {

Action declare_memory_store(CLI::App& app);
Action declare_memory_search(CLI::App& app);
Action declare_memory_get(CLI::App& app);
Action declare_memory_list(CLI::App& app);
Action declare_memory_delete(CLI::App& app);
Action declare_memory_forget(CLI::App& app);
Action declare_memory_export(CLI::App& app);
Action declare_memory_import(CLI::App& app);
Action declare_memory_stats(CLI::App& app);
Action declare_memory_serve(CLI::App& app);
Action declare_memory_why(CLI::App& app);

}  // namespace parlance::app

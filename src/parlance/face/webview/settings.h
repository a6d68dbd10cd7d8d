// SPDX-License-Identifier: Apache-2.0
// Settings and counters of a webview server. Values; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "parlance/adapter/acp/plan_mode.h"
#include "parlance/adapter/acp/prompt.h"

namespace parlance::face {

// The peer of a connection, which decides about trust in its folders and picked files.
enum class WebviewPeer : std::uint8_t {
  network,      // any authenticated client: only folders of conversations count, or the default folder
  this_machine  // a program of the person of this machine, such as the VS Code extension: its folders and picked files count
};

struct WebviewSettings {
  std::string version{};
  std::string home{};
  std::string default_folder{};
  std::string agent{};         // for new conversations without a named agent; empty: as in the shown conversation
  std::string state_folder{};  // never readable for webviews, even through other paths; empty: none
  std::size_t file_bytes = adapter::prompt_file_bytes;      // limit of a file's text; longer text is cut
  adapter::Language language = adapter::Language::english;  // of the instruction to carry out a plan
};

struct WebviewStatistics {
  std::size_t webviews = 0;  // now
  std::uint64_t messages = 0;
  std::uint64_t malformed = 0;
};

}  // namespace parlance::face

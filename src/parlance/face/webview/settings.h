// SPDX-License-Identifier: Apache-2.0
// What a server of webviews is told, and what it counts. Values; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "parlance/adapter/acp/plan_mode.h"
#include "parlance/adapter/acp/prompt.h"

namespace parlance::face {

// Who stands between a webview and its connection, and so whose word its folders and picked files are.
enum class WebviewPeer : std::uint8_t {
  network,      // anybody who came in: only folders of conversations count, or the default folder
  this_machine  // a program of the person of this machine, such as the extension in VS Code: it names folders and picked files
};

struct WebviewSettings {
  std::string version{};
  std::string home{};
  std::string default_folder{};
  std::string agent{};  // of conversations that a webview begins without naming one; empty: as in the conversation it shows
  std::string state_folder{};  // nothing in it is read for a webview, wherever else it lies; empty: there is none
  std::size_t file_bytes = adapter::prompt_file_bytes;      // of the text of one file; what is longer is cut
  adapter::Language language = adapter::Language::english;  // of the order to carry out a plan
};

struct WebviewStatistics {
  std::size_t webviews = 0;  // now
  std::uint64_t messages = 0;
  std::uint64_t malformed = 0;
};

}  // namespace parlance::face

// SPDX-License-Identifier: Apache-2.0
// Reads files named by a webview, for display and for prompts. Allowed are files in a folder of the conversation (resolved path),
// and files picked by the person in the editor. Loop thread only; must outlive its tasks.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "parlance/async/worker.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/protocol/webview/messages.h"

namespace parlance::face {

class WebviewFiles {
 public:
  // `most_bytes`: limit of a file's text; longer text is cut. `state`: a folder without read access, by resolved path.
  WebviewFiles(Loop& loop, std::size_t most_bytes, std::string state)
      : loop_(loop), most_bytes_(most_bytes), state_(std::move(state)) {}

  // Allows these files from now on, anywhere.
  void picked(const std::vector<std::string>& paths);
  struct Folders {
    std::vector<std::string> paths{};  // empty: the conversation is on another machine
    bool of_conversation = false;      // resolved paths from the creation: a link in such a path is newer and refused
  };
  // An answer per file, in order; an answer may be an error.
  Task<std::vector<webview::FileContent>> read(std::vector<std::string> paths, Folders folders);

  struct Attached {
    std::vector<hub::Attachment> attachments{};
    std::vector<std::string> warnings{};  // about cut files
  };
  // Attachments of a prompt: pictures unchanged, other files as text. Errors: those of the first unreadable file.
  Task<Result<Attached>> attach(std::vector<webview::AttachedFile> files, Folders folders);

 private:
  Worker& worker();

  Loop& loop_;
  std::size_t most_bytes_;
  std::string state_;
  std::deque<std::string> picked_;  // oldest first
  std::unique_ptr<Worker> worker_;  // created with the first file
};

}  // namespace parlance::face

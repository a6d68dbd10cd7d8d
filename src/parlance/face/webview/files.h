// SPDX-License-Identifier: Apache-2.0
// The files that a webview names: their text, for it and for prompts. A file may be read that lies in a folder of the conversation, by its
// real place, or that the person has picked in the editor. Loop thread only; outlives its tasks.
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
  // `most_bytes`: of one file's text; what is longer is cut. `state`: a folder of which nothing is read, by the real place of a file.
  WebviewFiles(Loop& loop, std::size_t most_bytes, std::string state)
      : loop_(loop), most_bytes_(most_bytes), state_(std::move(state)) {}

  // From now on these may be read, wherever they lie.
  void picked(const std::vector<std::string>& paths);
  struct Folders {
    std::vector<std::string> paths{};  // empty: the conversation works on another machine
    bool of_conversation = false;  // real paths, stored at the start: a link in one of them has replaced a folder and is refused
  };
  // One answer each, in their order; a fault stands in its answer.
  Task<std::vector<webview::FileContent>> read(std::vector<std::string> paths, Folders folders);

  struct Attached {
    std::vector<hub::Attachment> attachments{};
    std::vector<std::string> warnings{};  // what was cut
  };
  // What goes along with a prompt: pictures as they are, all else as text. Errors: those of the first file that cannot be read.
  Task<Result<Attached>> attach(std::vector<webview::AttachedFile> files, Folders folders);

 private:
  Worker& worker();

  Loop& loop_;
  std::size_t most_bytes_;
  std::string state_;
  std::deque<std::string> picked_;  // oldest first
  std::unique_ptr<Worker> worker_;  // from the first file on
};

}  // namespace parlance::face

// SPDX-License-Identifier: Apache-2.0
// Reports that a file of a folder was written, replaced or removed (inotify). Several changes may be one report. A kernel
// without a free inotify instance gives no reports, so that a watch may refresh a display but never decides. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "parlance/async/loop.h"

namespace parlance {

class FileWatch {
 public:
  // `changed` runs inside a turn of the loop, never inside the constructor. The folder exists.
  FileWatch(Loop& loop, const std::string& folder, std::string name, std::function<void()> changed);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

 private:
  struct Implementation;
  std::shared_ptr<Implementation> implementation_;  // null: no inotify
};

}  // namespace parlance

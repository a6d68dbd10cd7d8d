// SPDX-License-Identifier: Apache-2.0
// A file by which agents of this user find a server of ours: for nobody else to read, since it holds the token, and gone when we are. What a
// program left behind that was killed is removed by the next one. Blocks, at a start and an end. Loop thread only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "parlance/base/result.h"

namespace parlance::face::ide {

class Announcement {
 public:
  Announcement() = default;
  // In `folder`, which is made, and those above it. Errors: of the folder, which must be ours, and of writing.
  static Result<Announcement> write(const std::string& folder, const std::string& name, std::string_view text);
  Announcement(Announcement&& other) noexcept;
  Announcement& operator=(Announcement&& other) noexcept;
  ~Announcement();

  const std::string& path() const { return path_; }

 private:
  std::string path_;  // "": there is none
};

// Removes files of `folder` that end with `ending`, whose JSON says that we wrote them ("server":"parlance") and whose "serverPid" is of no process
// that runs. Those of other programs are theirs. How many.
std::size_t remove_stale(const std::string& folder, std::string_view ending);
inline constexpr std::string_view our_mark = "parlance";

}  // namespace parlance::face::ide

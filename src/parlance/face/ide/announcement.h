// SPDX-License-Identifier: Apache-2.0
// A file to announce a server to agents of this user: private, because of its token, and removed at the end. The next
// program removes files of killed programs. Blocks, at a start and an end. Loop thread only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "parlance/base/result.h"

namespace parlance::face::ide {

class Announcement {
 public:
  Announcement() = default;
  // Creates `folder` and its parents. Errors: of the folder (wrong owner), and of writing.
  static Result<Announcement> write(const std::string& folder, const std::string& name, std::string_view text);
  Announcement(Announcement&& other) noexcept;
  Announcement& operator=(Announcement&& other) noexcept;
  ~Announcement();

  const std::string& path() const { return path_; }

 private:
  std::string path_;  // "": none
};

// Removes files of `folder` with this `ending` whose JSON has parlance's mark ("server":"parlance") and the "serverPid" of a dead
// process. Ignores files of other programs. Returns their number.
std::size_t remove_stale(const std::string& folder, std::string_view ending);
inline constexpr std::string_view our_mark = "parlance";

}  // namespace parlance::face::ide

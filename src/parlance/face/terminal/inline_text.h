// SPDX-License-Identifier: Apache-2.0
// `code` and **bold** within a line, one byte at a time. A marker is held until its other one comes, or the line ends without it and it
// stands as it was written: what has been shown never has to be taken back. Pure.
#pragma once

#include <string>

namespace parlance::face {

class InlineText {
 public:
  explicit InlineText(bool colours) : colours_(colours) {}

  void put(std::string& out, char c);
  void end(std::string& out);  // of the line

 private:
  void put_code(std::string& out, char c);
  void put_stars(std::string& out, char c);

  bool colours_;
  std::string held_;         // from the opening marker on
  std::size_t opening_ = 0;  // how long that is, once known
};

}  // namespace parlance::face

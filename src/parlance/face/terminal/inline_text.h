// SPDX-License-Identifier: Apache-2.0
// Inline marks of Markdown, one byte at a time: `code`, *italics*, **bold**, ~~struck~~, escapes and character references.
//
// Text behind an opening mark is held until the mark closes. A mark without a partner in its line, or within 2,000 bytes, is text.
// The output is only ever appended to. Marks pair as in CommonMark, with one difference: letters and punctuation outside ASCII count
// as letters, because models write `**重点：**后`. Links stay as written: a person sees the address. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/face/terminal/style.h"

namespace parlance::face {

class InlineText {
 public:
  // Without colours the marks stay in the text, because nothing else shows the emphasis.
  explicit InlineText(bool colours) : colours_(colours) {}

  // Begins a line whose text has these styles.
  void begin(Styles base) { base_ = base; }
  void put(std::vector<StyledText>& out, char c);
  void end(std::vector<StyledText>& out);  // of the line

 private:
  // A run of `*`, `_` or `~` without a partner so far.
  struct Opener {
    char mark = '*';
    std::size_t length = 0;   // marks that have not closed
    std::size_t written = 0;  // marks in the text
    bool closes = false;      // the run can also close another run
    std::size_t at = 0;       // index in held_ of its marks
  };

  bool put_pending(std::vector<StyledText>& out, char c);
  void put_code(std::vector<StyledText>& out, char c);
  void put_entity(std::vector<StyledText>& out, char c);
  void put_text(std::vector<StyledText>& out, std::string_view text);
  void end_run(std::vector<StyledText>& out, char next);
  std::size_t close(char mark, std::size_t written, bool opens);
  std::vector<Opener>::iterator opener_for(char mark, std::size_t written, bool opens);
  void release(std::vector<StyledText>& out);
  void end_pending(std::vector<StyledText>& out);

  bool colours_;
  Styles base_ = 0;
  char before_ = ' ';             // the last byte of the line
  std::vector<StyledText> held_;  // from the first open mark on
  std::size_t held_bytes_ = 0;
  std::vector<Opener> openers_;
  std::string run_;            // an unfinished run of one mark
  bool escape_ = false;        // behind a backslash
  std::string entity_;         // from `&` on
  std::string code_;           // from the opening backticks on
  std::size_t backticks_ = 0;  // how many open, once known
};

// A whole line.
std::vector<StyledText> inline_text(std::string_view line, bool colours, Styles base = 0);

}  // namespace parlance::face

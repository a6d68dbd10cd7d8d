// SPDX-License-Identifier: Apache-2.0
// Renders Markdown for a terminal while it streams from a model: headings, lists, quotes, code blocks, tables, rules and inline
// marks.
//
// The output only grows, and is independent of the sizes of pieces. The renderer holds back tables, incomplete words, and marks
// with an open meaning. Lines of prose break between words; code stays as written, so that a person can copy it. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/face/terminal/inline_text.h"
#include "parlance/face/terminal/safe_text.h"
#include "parlance/face/terminal/word_wrap.h"

namespace parlance::face {

class MarkdownStream {
 public:
  // `width` in columns; 0: unknown, no line is broken.
  explicit MarkdownStream(bool colours, std::size_t width = 0)
      : colours_(colours), inline_(colours), width_(width), wrap_(width) {}

  void set_width(std::size_t width);        // for later text
  std::string feed(std::string_view text);  // any bytes; the output contains only the renderer's own escape sequences
  std::string finish();                     // the end of the message; the object is reusable

 private:
  enum class Line { undecided, text, heading, fence, code, table };
  // Quote marks and blanks at the beginning of a line.
  struct Prefix {
    std::size_t quotes = 0;
    std::size_t bytes = 0;
    std::string shown{};
  };

  void put(std::string& out, char c);
  Prefix prefix_of(std::string_view line, std::size_t most_quotes) const;
  void begin_line(std::string& out);
  bool begin_code(std::string& out);
  void begin_block(std::string& out, const Prefix& prefix, std::string_view line);
  void begin_item(std::string& out, const Prefix& prefix, std::string_view line, std::size_t marker);
  void put_text(std::string& out, std::string_view first, std::string_view rest, std::string_view text, Styles base = 0);
  void flush(std::string& out);  // text released by the inline parser
  void end_line(std::string& out, std::string_view line_feed);
  void end_undecided(std::string& out);
  void end_heading(std::string& out);
  void end_fence(std::string& out);
  void end_table(std::string& out);
  std::string rule(std::string_view label = {}) const;

  bool colours_;
  SafeText safe_;
  InlineText inline_;
  std::size_t width_;
  WordWrap wrap_;
  Line line_ = Line::undecided;
  std::string held_;                // the current line, if not shown yet
  std::string fence_;               // closes the open code block; empty outside
  std::size_t fence_quotes_ = 0;    // number of quotes around the code block
  std::vector<StyledText> parts_;   // released by the inline parser
  std::vector<std::string> table_;  // rows without their prefix
  std::string table_prefix_;
};

}  // namespace parlance::face

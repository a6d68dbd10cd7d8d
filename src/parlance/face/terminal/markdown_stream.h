// SPDX-License-Identifier: Apache-2.0
// Markdown as it streams from a model, made readable in a terminal: headings, lists, quotes, code blocks, tables, rules, code and bold
// within a line. What it returns is only ever appended to what was shown, so nothing flickers, and is the same wherever the stream was cut.
// Text of a line is shown as it comes; tables, and markers until it is clear what they mean, are held. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/face/terminal/inline_text.h"
#include "parlance/face/terminal/safe_text.h"

namespace parlance::face {

class MarkdownStream {
 public:
  explicit MarkdownStream(bool colours) : colours_(colours), inline_(colours) {}

  std::string feed(std::string_view text);  // any bytes; what comes out holds no escape but our own
  std::string finish();                     // the end of the message; may be used again

 private:
  // What the line is, as soon as its beginning tells.
  enum class Line { undecided, text, heading, fence, code, table };

  void put(std::string& out, char c);
  void begin_line(std::string& out);
  void begin_marked(std::string& out, std::string_view indent, std::string_view line);
  void put_text(std::string& out, std::string_view text);
  void end_line(std::string& out, std::string_view line_feed);
  void end_undecided(std::string& out);
  void end_table(std::string& out);

  bool colours_;
  SafeText safe_;
  InlineText inline_;
  Line line_ = Line::undecided;
  std::string held_;   // the line so far, where it is not shown yet
  std::string fence_;  // what closes the code block that we are in, or empty
  std::vector<std::string> table_;
};

}  // namespace parlance::face

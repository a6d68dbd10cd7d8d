// SPDX-License-Identifier: Apache-2.0
// The output of a turn: text of the answer, and separate lines. Loop thread only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace parlance::app {

class Paper {
 public:
  virtual ~Paper() = default;
  virtual void text(std::string_view piece) = 0;  // unchanged
  virtual void note(std::string_view line) = 0;   // on a line of its own

  // A terminal shows the text: Markdown is formatted, and control characters of an agent are removed.
  virtual bool text_in_terminal() const = 0;
  virtual bool notes_in_terminal() const = 0;
  // Columns of the terminal for `text`; 0 if unknown. May change at any time.
  virtual std::size_t text_columns() const { return 0; }
};

// stdout and stderr.
class StandardPaper final : public Paper {
 public:
  StandardPaper();
  void text(std::string_view piece) override;
  void note(std::string_view line) override;
  bool text_in_terminal() const override { return text_in_terminal_; }
  bool notes_in_terminal() const override { return notes_in_terminal_; }
  std::size_t text_columns() const override;
  const std::string& failure() const { return failure_; }  // of the first lost text; "": none

 private:
  bool text_in_terminal_;
  bool notes_in_terminal_;
  std::string failure_;
};

bool is_dumb_terminal();  // TERM is absent or "dumb": no control sequences
bool wants_colours();     // false with NO_COLOR or a dumb terminal

}  // namespace parlance::app

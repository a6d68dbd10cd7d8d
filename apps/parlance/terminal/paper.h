// SPDX-License-Identifier: Apache-2.0
// What a turn is written on: text that is an answer, and lines beside it. Loop thread only.
#pragma once

#include <cstddef>
#include <string_view>

namespace parlance::app {

class Paper {
 public:
  virtual ~Paper() = default;
  virtual void text(std::string_view piece) = 0;  // as it is
  virtual void note(std::string_view line) = 0;   // on a line of its own

  // A person reads it in a terminal: Markdown is made readable, and no control character of an agent may get there.
  virtual bool text_in_terminal() const = 0;
  virtual bool notes_in_terminal() const = 0;
  // Columns of the terminal that `text` goes to; 0 if unknown. A person may change them at any time.
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

 private:
  bool text_in_terminal_;
  bool notes_in_terminal_;
};

bool wants_colours();  // NO_COLOR and a dumb terminal forbid them

}  // namespace parlance::app

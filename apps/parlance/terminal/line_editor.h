// SPDX-License-Identifier: Apache-2.0
// A line with editing, history and completion, by libedit. Blocking: a single thread calls, any thread wakes the input.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <histedit.h>

#include "apps/parlance/terminal/console.h"
#include "apps/parlance/terminal/past_lines.h"
#include "apps/parlance/terminal/wakeable_input.h"

namespace parlance::app {

class LineEditor {
 public:
  // `words`: the completions for Tab at the beginning of a line. All arguments outlive this object.
  LineEditor(WakeableInput& input, PastLines& past, std::vector<std::string> words);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // A line with a final backslash continues in the next line, and so does pasted text.
  Typed line(std::string prompt);

 private:
  struct Closed {
    void operator()(EditLine* edit) const { ::el_end(edit); }
  };
  Typed one_line(const std::string& prompt);
  std::string current_text();  // on the line
  void remember(const std::string& text);
  int next_character(wchar_t* character);
  char32_t next_point();
  bool at_mark(std::string_view mark);
  std::string completion();

  WakeableInput& input_;
  PastLines& past_;
  std::vector<std::string> words_;
  std::string prompt_;
  std::string held_;  // bytes read but not taken
  bool pasting_ = false;
  bool woken_ = false;
  HistEvent event_{};
  History* history_;
  std::unique_ptr<EditLine, Closed> edit_;
};

}  // namespace parlance::app

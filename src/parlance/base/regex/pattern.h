// SPDX-License-Identifier: Apache-2.0
// Regular expressions for schemas, file search and hooks. Matching time grows linearly with the text: no backtracking, no
// recursion over the text (decision 0014).
//
// Two spellings. `ecma` is ECMA-262 by code points as in JSON Schema and JavaScript, with look-ahead, because generated schemas
// use look-ahead (zod's e-mail addresses). `grep` is the dialect of grep and ripgrep. `grep` adds to `ecma`:
// [[:alpha:]], [] with a ] in it, \< and \>, \A and \z, (?i), (?P<name>…), {,3}. \p{…} knows general categories, frequent scripts and
// some properties (unicode_property.h). Back references and look-behind are refused by name. Letters are compared without their
// case in the Latin, Greek, Cyrillic and Armenian alphabets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "parlance/base/regex/options.h"
#include "parlance/base/result.h"

namespace parlance::regex {

struct Program;  // The compiled expression, see program.h.

// Values; any thread.
class Pattern {
 public:
  static Result<Pattern> compile(std::string_view expression,
                                 Options options = {});                    // Error: invalid_params with fault and position.
  static Result<Pattern> of_text(std::string_view text, Options options);  // Matches exactly the text.

  // True: the expression matches somewhere in the text. Each byte outside of valid UTF-8 counts as U+FFFD. The match takes one
  // unit of `work` for each character and step (about 10 ns). Without remaining work the result is false.
  bool found_in(std::string_view text, std::size_t& work) const;

 private:
  friend class Matcher;
  explicit Pattern(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

// The same for many texts: the cache of a text serves the next text. One thread at a time.
class Matcher {
 public:
  explicit Matcher(const Pattern& pattern);
  Matcher(Matcher&&) noexcept;
  Matcher& operator=(Matcher&&) noexcept;
  ~Matcher();
  bool found_in(std::string_view text, std::size_t& work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace parlance::regex

// A regular expression as JSON Schema means it (ECMA-262, by code points), matched in time that grows with the text and never with
// what the expression could have tried: no backtracking, no recursion over the text. Values; any thread.
//
// Look-ahead is there because schemas that programs write hold it (zod's e-mail addresses); back references, look-behind and \p{…} are
// not, and are refused by name.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/result.h"

namespace parlance::schema {

class Pattern {
 public:
  static Result<Pattern> compile(std::string_view expression);  // UTF-8; invalid_params says what is wrong with it

  // Whether it fits anywhere in the text. What finding out took is taken from `work`; when nothing is left of it, the answer is no.
  bool found_in(std::string_view utf8, std::size_t& work) const;

  struct Program;  // what the expression becomes: pattern.cpp

 private:
  explicit Pattern(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

}  // namespace parlance::schema

// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/regex/program.h"

#include <utility>

namespace parlance::regex {
namespace {

using Kind = Piece::Kind;
using Op = Program::Op;

class Compiler {
 public:
  Result<Program> run(const Piece& piece) {
    emit(piece);
    add({.op = Op::accept});
    if (full_) return fail(Errc::invalid_params, "its repetitions multiply to too much");
    return std::move(program_);
  }

 private:
  std::uint32_t here() const { return static_cast<std::uint32_t>(program_.steps.size()); }
  std::uint32_t add(Program::Step step) {
    if (program_.steps.size() >= program_steps) full_ = true;
    else program_.steps.push_back(step);
    return here() - 1;
  }
  void emit(const Piece& piece) {
    if (full_) return;
    switch (piece.kind) {
      case Kind::one_of:
        program_.sets.push_back(complement(complement(piece.ranges)));  // sorted and joined, for in_sorted
        add({.op = Op::one_of, .negated = piece.negated, .what = static_cast<std::uint32_t>(program_.sets.size() - 1)});
        break;
      case Kind::sequence:
        for (const Piece& part : piece.parts) emit(part);
        break;
      case Kind::choice: emit_choice(piece); break;
      case Kind::repeat: emit_repeat(piece); break;
      case Kind::begin: add({.op = Op::begin}); break;
      case Kind::end: add({.op = Op::end}); break;
      case Kind::word_boundary: emit_word_step({.op = Op::word_boundary, .negated = piece.negated}); break;
      case Kind::word_begin: emit_word_step({.op = Op::word_begin}); break;
      case Kind::word_end: emit_word_step({.op = Op::word_end}); break;
      case Kind::look_ahead: {
        const std::uint32_t look = add({.op = Op::look_ahead, .negated = piece.negated, .what = program_.look_aheads++});
        emit(piece.parts.front());
        add({.op = Op::accept});
        program_.steps[look].to = here();
        break;
      }
    }
  }
  void emit_word_step(Program::Step step) {
    program_.asks_for_words = true;
    add(step);
  }
  void emit_choice(const Piece& piece) {
    std::vector<std::uint32_t> ends;
    for (std::size_t i = 0; i + 1 < piece.parts.size(); ++i) {
      const std::uint32_t split = add({.op = Op::split});
      emit(piece.parts[i]);
      ends.push_back(add({.op = Op::jump}));
      program_.steps[split].to = here();
    }
    emit(piece.parts.back());
    for (const std::uint32_t end : ends) program_.steps[end].to = here();
  }
  void emit_repeat(const Piece& piece) {
    const Piece& part = piece.parts.front();
    for (std::uint32_t i = 0; i < piece.least && !full_; ++i) emit(part);
    if (piece.most == Piece::endless) {
      const std::uint32_t split = add({.op = Op::split});
      emit(part);
      add({.op = Op::jump, .to = split});
      program_.steps[split].to = here();
      return;
    }
    std::vector<std::uint32_t> splits;
    for (std::uint32_t i = piece.least; i < piece.most && !full_; ++i) {
      splits.push_back(add({.op = Op::split}));
      emit(part);
    }
    for (const std::uint32_t split : splits) program_.steps[split].to = here();
  }

  Program program_;
  bool full_ = false;
};

}  // namespace

Result<Program> compile(const Piece& piece) { return Compiler().run(piece); }

}  // namespace parlance::regex

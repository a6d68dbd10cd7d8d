// The expression becomes a program of small steps, and all ways through it are followed at once, one character after the other
// (Thompson's construction as Pike wrote it down): the work is at most steps times characters, look-ahead once more per place.
#include "codec/schema/pattern.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/limits.h"
#include "codec/schema/pattern_parser.h"

namespace parlance::schema {

struct Pattern::Program {
  enum class Op : std::uint8_t { one_of, split, jump, begin, end, word_boundary, look_ahead, accept };
  struct Step {
    Op op = Op::accept;
    bool negated = false;
    std::uint32_t to = 0;    // jump; split: besides the next step; look_ahead: behind what it looks for, which is the next step
    std::uint32_t what = 0;  // one_of: which set; look_ahead: its number
  };
  std::vector<Step> steps;
  std::vector<CodePointRanges> sets;
  std::uint32_t look_aheads = 0;
};

namespace {

using Kind = PatternPiece::Kind;
using Program = Pattern::Program;
using Op = Program::Op;

class Compiler {
 public:
  Result<Program> run(const PatternPiece& piece) {
    emit(piece);
    add({.op = Op::accept});
    if (full_) return fail(Errc::invalid_params, "its repetitions multiply to too much");
    return std::move(program_);
  }

 private:
  std::uint32_t here() const { return static_cast<std::uint32_t>(program_.steps.size()); }
  std::uint32_t add(Program::Step step) {
    if (program_.steps.size() >= limits::schema_pattern_steps) full_ = true;
    else program_.steps.push_back(step);
    return here() - 1;
  }
  void emit(const PatternPiece& piece) {
    if (full_) return;
    switch (piece.kind) {
      case Kind::one_of:
        program_.sets.push_back(piece.ranges);
        add({.op = Op::one_of, .negated = piece.negated, .what = static_cast<std::uint32_t>(program_.sets.size() - 1)});
        break;
      case Kind::sequence:
        for (const PatternPiece& part : piece.parts) emit(part);
        break;
      case Kind::choice: emit_choice(piece); break;
      case Kind::repeat: emit_repeat(piece); break;
      case Kind::begin: add({.op = Op::begin}); break;
      case Kind::end: add({.op = Op::end}); break;
      case Kind::word_boundary: add({.op = Op::word_boundary, .negated = piece.negated}); break;
      case Kind::look_ahead: {
        const std::uint32_t look = add({.op = Op::look_ahead, .negated = piece.negated, .what = program_.look_aheads++});
        emit(piece.parts.front());
        add({.op = Op::accept});
        program_.steps[look].to = here();
        break;
      }
    }
  }
  void emit_choice(const PatternPiece& piece) {
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
  void emit_repeat(const PatternPiece& piece) {
    const PatternPiece& part = piece.parts.front();
    for (std::uint32_t i = 0; i < piece.least && !full_; ++i) emit(part);
    if (piece.most == PatternPiece::endless) {
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

class Run {
 public:
  Run(const Program& program, const CodePoints& text, std::size_t& work)
      : program_(program), text_(text), work_(work), seen_ahead_(program.look_aheads) {}

  // Whether the program from `first` on fits at `begin`, or with `anywhere` at or behind it.
  bool fits(std::uint32_t first, std::size_t begin, bool anywhere) {
    spend(1 + program_.steps.size() / 8);  // the lists below
    Ways now(program_.steps.size());
    Ways next(program_.steps.size());
    for (std::size_t at = begin;; ++at) {
      if (at == begin || anywhere) follow(now, first, at);
      if (now.accepted) return true;
      if (at == text_.size() || (now.waiting.empty() && !anywhere) || work_ == 0) return false;
      next.clear();
      for (const std::uint32_t step : now.waiting) {
        spend(1);
        const Program::Step& set = program_.steps[step];
        if (contains(program_.sets[set.what], text_[at]) != set.negated) follow(next, step + 1, at + 1);
      }
      std::swap(now, next);
    }
  }

 private:
  // Steps that wait for the next character; each is there once.
  struct Ways {
    explicit Ways(std::size_t steps) : been(steps) {}
    void clear() {
      waiting.clear();
      ++round;
    }
    std::vector<std::uint32_t> been;
    std::uint32_t round = 1;
    std::vector<std::uint32_t> waiting;
    bool accepted = false;
  };

  void spend(std::size_t work) { work_ -= std::min(work, work_); }

  void follow(Ways& ways, std::uint32_t first, std::size_t at) {
    std::vector<std::uint32_t> open{first};
    while (!open.empty()) {
      const std::uint32_t step = open.back();
      open.pop_back();
      if (std::exchange(ways.been[step], ways.round) == ways.round) continue;
      spend(1);
      const Program::Step& what = program_.steps[step];
      switch (what.op) {
        case Op::one_of: ways.waiting.push_back(step); break;
        case Op::accept: ways.accepted = true; break;
        case Op::jump: open.push_back(what.to); break;
        case Op::split: open.insert(open.end(), {what.to, step + 1}); break;
        case Op::begin:
          if (at == 0) open.push_back(step + 1);
          break;
        case Op::end:
          if (at == text_.size()) open.push_back(step + 1);
          break;
        case Op::word_boundary:
          if ((is_word(at) != (at != 0 && is_word(at - 1))) != what.negated) open.push_back(step + 1);
          break;
        case Op::look_ahead:
          if (fits_ahead(step, at) != what.negated) open.push_back(what.to);
          break;
      }
    }
  }
  bool is_word(std::size_t at) const { return at < text_.size() && contains(word_characters(), text_[at]); }
  bool fits_ahead(std::uint32_t step, std::size_t at) {  // asked by many ways at the same place: once
    std::vector<char>& known = seen_ahead_[program_.steps[step].what];
    known.resize(text_.size() + 1, '?');
    if (known[at] == '?') {
      const bool yes = work_ != 0 && fits(step + 1, at, false);
      seen_ahead_[program_.steps[step].what][at] = yes ? 'y' : 'n';
    }
    return seen_ahead_[program_.steps[step].what][at] == 'y';
  }

  const Program& program_;
  const CodePoints& text_;
  std::size_t& work_;
  std::vector<std::vector<char>> seen_ahead_;
};

}  // namespace

Result<Pattern> Pattern::compile(std::string_view expression) {
  PARLANCE_TRY(piece, parse_pattern(expression));
  PARLANCE_TRY(program, Compiler().run(piece));
  return Pattern(std::make_shared<const Program>(std::move(program)));
}

bool Pattern::found_in(std::string_view utf8, std::size_t& work) const {
  const CodePoints text = code_points_of(utf8);
  return Run(*program_, text, work).fits(0, 0, true) && work != 0;
}

}  // namespace parlance::schema

// SPDX-License-Identifier: Apache-2.0
// Whether two words are forms of one another: by their letters alone, the vocabulary was asked before. Folded text in, 0 to 1 out.
// Pure; any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace parlance::memory {

// Endings that make other forms of a word: deploy, deployment; decide, deciding; Sprache, Sprachen. 0: they are not.
double related_form(std::string_view a, std::string_view b);

// One letter too many, too few, another or two swapped. 0: more than that.
double misspelling(std::string_view a, std::string_view b);

// `part` inside `whole`: sqlite in libsqlite3. 0: it is not, or so short that it says nothing (cat in concatenate).
double part_of_word(std::string_view part, std::string_view whole);

// How much of `wanted` the pairs of characters of `text` cover, for scripts without blanks: 0 to 1. Both are UTF-8.
double covered_share(std::string_view wanted, std::string_view text);

}  // namespace parlance::memory

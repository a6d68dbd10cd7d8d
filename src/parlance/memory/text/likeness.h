// SPDX-License-Identifier: Apache-2.0
// Similarity of two words by their letters, after the vocabulary. Folded text in, 0 to 1 out. Pure; any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace parlance::memory {

// Endings that form other forms of a word: deploy, deployment; decide, deciding; Sprache, Sprachen. 0: no related forms.
double related_form(std::string_view a, std::string_view b);

// One letter added, missing, different, or two swapped. 0: a larger difference.
double misspelling(std::string_view a, std::string_view b);

// `part` inside `whole`: sqlite in libsqlite3. 0: not inside, or too short to mean anything (cat in concatenate).
double part_of_word(std::string_view part, std::string_view whole);

// The share of `wanted` that the character pairs of `text` cover, for scripts without blanks: 0 to 1. Both are UTF-8.
double covered_share(std::string_view wanted, std::string_view text);

}  // namespace parlance::memory

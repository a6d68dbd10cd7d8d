// SPDX-License-Identifier: Apache-2.0
// The longer texts of the rehearsal.
#pragma once

#include <string_view>

namespace parlance::model::rehearsal::texts {

inline constexpr std::string_view announcement = "*Scripted rehearsal: no language model is connected.*\n\n";

inline constexpr std::string_view what_this_is =
    "I cannot answer your message, because I am a script and not a language model. Connect a language model with `--model openai` "
    "or `--model anthropic` and a key in the environment, or type `help` for my commands.";

inline constexpr std::string_view help =
    R"(I am the **rehearsal**: a script in place of a language model. I understand these commands:

| type | and you see |
|---|---|
| `think ABOUT` | thoughts in a block of their own |
| `plan` | a plan for your approval, or a plan with advancing steps |
| `read FILE` | a file read from the conversation's folder |
| `list [FOLDER]` | the contents of a folder |
| `search WORD` | the lines with a word |
| `write FILE TEXT` | a new file, after you allow it |
| `edit FILE OLD => NEW` | a change as a diff, after you allow it |
| `run COMMAND` | a command, after you allow it |
| `ask` | a question with options |
| `remember TEXT`, `recall QUERY`, `forget QUERY` | the memory |
| `long N` | an answer of N words |
| `slow N MS` | N words, MS milliseconds apart: time to press stop |
| `markdown` | headings, lists, a table, code |
| `error` | a failing answer |

Anything else gets a friendly answer; the first answer of a conversation is a small tour.)";

inline constexpr std::string_view markdown = R"(# A heading

A paragraph with **bold**, *italic*, ~~struck~~ and `inline code`, a [link](https://example.org/), and words in other
scripts: 你好, привет, γειά σου.

## Lists

1. first
2. second
   - nested
   - with `code`
3. third

- [x] done
- [ ] open

## A table

| left | centre | right |
|:-----|:------:|------:|
| a    |   b    |     1 |
| long cell with *emphasis* | `x` | 1234 |

## Code

```cpp
#include <iostream>

int main() {
  std::cout << "Hello from the rehearsal\n";  // a comment
}
```

```diff
- the shed is grey
+ the shed is green
```

> A quotation,
> in two lines.

---

That was all of it.)";

inline constexpr std::string_view plan = R"(## The bicycle shed

1. Look at the shed.
2. Choose a colour.
3. Paint it, twice.

Nothing is touched before you agree.)";

inline constexpr std::string_view note_path = "parlance-notes.md";
inline constexpr std::string_view note = R"(# A note from the rehearsal

A scripted agent wrote this file after a person had approved the edit.
The file shows the whole process: the proposal, the approval, the edit. Delete this file at any time.
)";

}  // namespace parlance::model::rehearsal::texts

// SPDX-License-Identifier: Apache-2.0
// What came with a person's message beside its words, on its way to a model. Values; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace parlance::model {

struct Attachment {
  std::string media_type{};
  std::string name{};  // for people; may be empty
  std::string url{};   // where it lies, when it has no data
  std::string data{};
  friend bool operator==(const Attachment&, const Attachment&) = default;
};

// What there is a block and a part for: image/png, …, application/pdf; "text/*" is every text.
std::span<const std::string_view> attachment_kinds();

// "an image (a.png, image/png, 12 KiB)". `bytes`: its size, where the data is not at hand.
std::string described(const Attachment& attachment, std::optional<std::size_t> bytes = {});

// What a model that cannot be shown it reads in its place. `bytes` as above.
std::string unseen_note(const Attachment& attachment, std::optional<std::size_t> bytes = {});
// `note` behind `text`, as a paragraph of its own.
void add_note(std::string& text, const std::string& note);

// The content block of Anthropic's API and of Claude Code, as JSON; nothing where there is none for it. Whether there is one hangs
// on the kind alone, not on the data, and costs no copy of it to ask.
std::optional<std::string> anthropic_block(const Attachment& attachment);
bool has_anthropic_block(const Attachment& attachment);
// The content part of OpenAI's chat API.
std::optional<std::string> openai_part(const Attachment& attachment);
bool has_openai_part(const Attachment& attachment);

}  // namespace parlance::model

// SPDX-License-Identifier: Apache-2.0
// How other embedding services are spoken to: which address in which style, what is sent, and every shape of answer that was met.
// Sans-I/O. Values; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/memory/embedder.h"

namespace parlance::server {

enum class EmbedStyle : std::uint8_t {
  openai,  // POST …/v1/embeddings {model, input: [texts]}
  embed,   // POST …/embed {text}, …/embed-batch {texts}: the deployed service, and ours
  llama,   // POST …/embedding {content}: llama.cpp's own, one text a request
};

// One way to ask: the styles that a URL may mean are tried in order until one is understood.
struct EmbedTarget {
  EmbedStyle style = EmbedStyle::openai;
  std::string url{};        // of one text or, in style openai, of many
  std::string batch_url{};  // style embed: of many
  friend bool operator==(const EmbedTarget&, const EmbedTarget&) = default;
};

struct EmbedEndpoint {
  std::vector<EmbedTarget> targets{};  // one where the path says which: …/embeddings, …/embed, …/embed-batch, …/embedding
  std::string info_url{};              // of our own service, should this be one
  std::string shown{};                 // without user, password and query
  std::string host{};
  bool secure = false;
};

// "http://host:port", with or without /v1 or a method's path. Errors: invalid_params.
Result<EmbedEndpoint> parse_embed_url(std::string_view url);

// `many`: to target.batch_url. In styles that take one text at a time, `texts` has one unless many.
std::string embed_body(const EmbedTarget& target, const std::string& model, std::span<const std::string> texts, bool many);

struct EmbedAnswer {
  std::vector<memory::Vector> vectors{};  // in the order of the texts, as they came: not of length 1 yet
  std::string model{};                    // "" when the service does not say
};
// The shapes: {"data":[{"index","embedding"}]}, {"embeddings":[…]}, {"embedding":…}, [{"index","embedding":…}], [[…]]; each embedding
// as vector_json.h reads it. Errors: failed (another shape, other than `texts` vectors, vectors of different length).
Result<EmbedAnswer> read_embed_answer(std::string_view body, std::size_t texts);

}  // namespace parlance::server

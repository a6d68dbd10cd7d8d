// SPDX-License-Identifier: Apache-2.0
// The protocols of other embedding services: addresses by style, request bodies, and all known answer forms. Sans-I/O. Values;
// any thread.
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
  llama,   // POST …/embedding {content}: llama.cpp's own, one text in each request
};

// A style to try: the possible styles of a URL are tried in order until the service understands.
struct EmbedTarget {
  EmbedStyle style = EmbedStyle::openai;
  std::string url{};        // for a single text or, in style openai, many
  std::string batch_url{};  // style embed: of many
  friend bool operator==(const EmbedTarget&, const EmbedTarget&) = default;
};

struct EmbedEndpoint {
  std::vector<EmbedTarget> targets{};  // a single style if the path decides: …/embeddings, …/embed, …/embed-batch, …/embedding
  std::string info_url{};              // of our own service, if the service is ours
  std::string shown{};                 // without user, password and query
  std::string host{};
  bool secure = false;
};

// "http://host:port", with or without /v1 or a method's path. Errors: invalid_params.
Result<EmbedEndpoint> parse_embed_url(std::string_view url);

// `many`: to target.batch_url. In styles with single texts, `texts` has one unless many.
std::string embed_body(const EmbedTarget& target, const std::string& model, std::span<const std::string> texts, bool many);

struct EmbedAnswer {
  std::vector<memory::Vector> vectors{};  // in the order of the texts, unnormalised
  std::string model{};                    // "" when the service does not say
};
// The forms: {"data":[{"index","embedding"}]}, {"embeddings":[…]}, {"embedding":…}, [{"index","embedding":…}], [[…]]; each
// embedding in a form of vector_json.h. Errors: failed (another form, another number of vectors than `texts`, vectors of
// different length).
Result<EmbedAnswer> read_embed_answer(std::string_view body, std::size_t texts);

}  // namespace parlance::server

// SPDX-License-Identifier: Apache-2.0
// The embedding service's messages: those of the deployed one (/embed, /embed-batch, /health, /info) and OpenAI's
// /v1/embeddings. Vectors are JSON that vector_json.h reads and writes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parlance/wire/call.h"

namespace parlance::embed {

using wire::field;
using wire::fields;

// In every answer with vectors: EmbedderInfo::id, so that our own clients see at once when it changes.
inline constexpr const char* id_header = "Parlance-Embedder";

struct EmbedRequest {
  std::string text{};
  static constexpr auto wire = fields(field<&EmbedRequest::text>("text", "What to embed."));
};
struct EmbedReply {
  wire::Raw embedding{};
  std::size_t dim = 0;
  std::string model{};
  static constexpr auto wire =
      fields(field<&EmbedReply::embedding>("embedding", "The vector, of length 1."),
             field<&EmbedReply::dim>("dim", "How many numbers it has."), field<&EmbedReply::model>("model", "What embedded."));
};

struct EmbedBatchRequest {
  std::vector<std::string> texts{};
  static constexpr auto wire = fields(field<&EmbedBatchRequest::texts>("texts", "What to embed."));
};
struct EmbedBatchReply {
  std::vector<wire::Raw> embeddings{};
  std::size_t count = 0;
  std::size_t dim = 0;
  std::string model{};
  static constexpr auto wire =
      fields(field<&EmbedBatchReply::embeddings>("embeddings", "A vector for each text, in their order."),
             field<&EmbedBatchReply::count>("count", "How many."), field<&EmbedBatchReply::dim>("dim", "Numbers of each."),
             field<&EmbedBatchReply::model>("model", "What embedded."));
};

struct OpenAiRequest {
  wire::Raw input{};
  std::optional<std::string> model{};
  std::optional<std::string> encoding_format{};
  std::optional<std::int64_t> dimensions{};
  static constexpr auto wire = fields(field<&OpenAiRequest::input>("input", "A text, or a list of texts."),
                                      field<&OpenAiRequest::model>("model", "Taken as it comes: the answer says what embedded."),
                                      field<&OpenAiRequest::encoding_format>("encoding_format", "float (the default) or base64."),
                                      field<&OpenAiRequest::dimensions>("dimensions", "The embedder's own is all there is."));
};
struct OpenAiItem {
  std::string object = "embedding";
  std::size_t index = 0;
  wire::Raw embedding{};
  static constexpr auto wire =
      fields(field<&OpenAiItem::object>("object", "embedding"), field<&OpenAiItem::index>("index", "Of the text."),
             field<&OpenAiItem::embedding>("embedding", "Numbers, or base64 of little-endian floats."));
};
struct Usage {
  std::size_t prompt_tokens = 0;
  std::size_t total_tokens = 0;
  static constexpr auto wire = fields(field<&Usage::prompt_tokens>("prompt_tokens", "An estimate: bytes / 4."),
                                      field<&Usage::total_tokens>("total_tokens", "The same."));
};
struct OpenAiReply {
  std::string object = "list";
  std::vector<OpenAiItem> data{};
  std::string model{};
  Usage usage{};
  static constexpr auto wire =
      fields(field<&OpenAiReply::object>("object", "list"), field<&OpenAiReply::data>("data", "The vectors."),
             field<&OpenAiReply::model>("model", "What embedded."), field<&OpenAiReply::usage>("usage", "Tokens."));
};

struct HealthBody {
  std::string status{};
  std::uint16_t serverPort = 0;
  std::string llmServer{};
  std::string model{};
  std::int64_t timestamp = 0;
  std::optional<std::string> error{};
  static constexpr auto wire = fields(field<&HealthBody::status>("status", "ok; degraded while the back end does not answer."),
                                      field<&HealthBody::serverPort>("serverPort", "Of this service."),
                                      field<&HealthBody::llmServer>("llmServer", "The back end's address, or built-in."),
                                      field<&HealthBody::model>("model", "What embeds; empty while degraded."),
                                      field<&HealthBody::timestamp>("timestamp", "Seconds since 1970."),
                                      field<&HealthBody::error>("error", "While degraded: why."));
};

struct Knot {
  double cosine = 0;
  double score = 0;
  static constexpr auto wire = fields(field<&Knot::cosine>("cosine", "Between two vectors."),
                                      field<&Knot::score>("score", "What it means to a person; 0.7 is a match."));
};
struct InfoBody {
  std::string id{};
  std::string model{};
  std::string modelPath{};
  std::uint16_t serverPort = 0;
  std::string llmServer{};
  std::size_t dim = 0;
  std::size_t maxTexts = 0;
  std::size_t maxTextBytes = 0;
  std::vector<Knot> calibration{};
  std::map<std::string, std::string> endpoints{};
  static constexpr auto wire =
      fields(field<&InfoBody::id>("id", "Vectors of different ids cannot be compared."),
             field<&InfoBody::model>("model", "What embeds."),
             field<&InfoBody::modelPath>("modelPath", "The same, as deployed clients read it."),
             field<&InfoBody::serverPort>("serverPort", "Of this service."),
             field<&InfoBody::llmServer>("llmServer", "The back end's address, or built-in."),
             field<&InfoBody::dim>("dim", "Numbers of a vector."), field<&InfoBody::maxTexts>("maxTexts", "Of one request."),
             field<&InfoBody::maxTextBytes>("maxTextBytes", "Of one text."),
             field<&InfoBody::calibration>("calibration", "The curve from cosine to score; straight between its points."),
             field<&InfoBody::endpoints>("endpoints", "What is served."));
};

inline constexpr auto methods =
    wire::methods(wire::call<EmbedRequest, EmbedReply>("POST /embed", "One vector."),
                  wire::call<EmbedBatchRequest, EmbedBatchReply>("POST /embed-batch", "A vector for each text."),
                  wire::call<OpenAiRequest, OpenAiReply>("POST /v1/embeddings", "The same in OpenAI's shape."),
                  wire::call<wire::Nothing, HealthBody>("GET /health", "Is it up, and what is behind it?"),
                  wire::call<wire::Nothing, InfoBody>("GET /info", "Model, dimension, calibration, limits."));

}  // namespace parlance::embed

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
  static constexpr auto wire = fields(field<&EmbedRequest::text>("text", "Text to embed."));
};
struct EmbedReply {
  wire::Raw embedding{};
  std::size_t dim = 0;
  std::string model{};
  static constexpr auto wire = fields(field<&EmbedReply::embedding>("embedding", "The vector, with length 1."),
                                      field<&EmbedReply::dim>("dim", "Number of components in the vector."),
                                      field<&EmbedReply::model>("model", "Name of the model that embedded the text."));
};

struct EmbedBatchRequest {
  std::vector<std::string> texts{};
  static constexpr auto wire = fields(field<&EmbedBatchRequest::texts>("texts", "Texts to embed."));
};
struct EmbedBatchReply {
  std::vector<wire::Raw> embeddings{};
  std::size_t count = 0;
  std::size_t dim = 0;
  std::string model{};
  static constexpr auto wire = fields(field<&EmbedBatchReply::embeddings>("embeddings", "Vectors in the order of the texts."),
                                      field<&EmbedBatchReply::count>("count", "Number of vectors."),
                                      field<&EmbedBatchReply::dim>("dim", "Number of components in each vector."),
                                      field<&EmbedBatchReply::model>("model", "Name of the model that embedded the texts."));
};

struct OpenAiRequest {
  wire::Raw input{};
  std::optional<std::string> model{};
  std::optional<std::string> encoding_format{};
  std::optional<std::int64_t> dimensions{};
  static constexpr auto wire = fields(
      field<&OpenAiRequest::input>("input", "A text or a list of texts."),
      field<&OpenAiRequest::model>("model", "Name of the model. Ignored: the answer names the model that embedded the texts."),
      field<&OpenAiRequest::encoding_format>("encoding_format", "Encoding of the vectors: float or base64. Default: float."),
      field<&OpenAiRequest::dimensions>("dimensions", "Number of components. Only the embedder's own number is supported."));
};
struct OpenAiItem {
  std::string object = "embedding";
  std::size_t index = 0;
  wire::Raw embedding{};
  static constexpr auto wire =
      fields(field<&OpenAiItem::object>("object", "Always the value \"embedding\"."),
             field<&OpenAiItem::index>("index", "Position of the text in the request, counted from 0."),
             field<&OpenAiItem::embedding>("embedding", "List of numbers, or base64 of little-endian floats."));
};
struct Usage {
  std::size_t prompt_tokens = 0;
  std::size_t total_tokens = 0;
  static constexpr auto wire = fields(field<&Usage::prompt_tokens>("prompt_tokens", "Estimated number of tokens: bytes / 4."),
                                      field<&Usage::total_tokens>("total_tokens", "The same number as prompt_tokens."));
};
struct OpenAiReply {
  std::string object = "list";
  std::vector<OpenAiItem> data{};
  std::string model{};
  Usage usage{};
  static constexpr auto wire = fields(field<&OpenAiReply::object>("object", "Always the value \"list\"."),
                                      field<&OpenAiReply::data>("data", "Vectors in the order of the texts."),
                                      field<&OpenAiReply::model>("model", "Name of the model that embedded the texts."),
                                      field<&OpenAiReply::usage>("usage", "Number of tokens."));
};

struct HealthBody {
  std::string status{};
  std::uint16_t server_port = 0;
  std::string llm_server{};
  std::string model{};
  std::int64_t timestamp = 0;
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&HealthBody::status>("status", "State of the service: ok, or degraded while the back end does not answer."),
             field<&HealthBody::server_port>("serverPort", "Port of this service."),
             field<&HealthBody::llm_server>("llmServer", "Address of the back end, or built-in."),
             field<&HealthBody::model>("model", "Name of the model. Empty while degraded."),
             field<&HealthBody::timestamp>("timestamp", "Time of the answer, in seconds since 1970."),
             field<&HealthBody::error>("error", "Reason of the state degraded. Absent while ok."));
};

struct Knot {
  double cosine = 0;
  double score = 0;
  static constexpr auto wire = fields(field<&Knot::cosine>("cosine", "Cosine of two vectors."),
                                      field<&Knot::score>("score", "Score for people, from 0 to 1. 0.7 is a match."));
};
struct InfoBody {
  std::string id{};
  std::string model{};
  std::string model_path{};
  std::uint16_t server_port = 0;
  std::string llm_server{};
  std::size_t dim = 0;
  std::size_t max_texts = 0;
  std::size_t max_text_bytes = 0;
  std::vector<Knot> calibration{};
  std::map<std::string, std::string> endpoints{};
  static constexpr auto wire =
      fields(field<&InfoBody::id>("id", "Id of the embedder. Only vectors with equal ids are comparable."),
             field<&InfoBody::model>("model", "Name of the model."),
             field<&InfoBody::model_path>("modelPath", "The same name as model, for deployed clients."),
             field<&InfoBody::server_port>("serverPort", "Port of this service."),
             field<&InfoBody::llm_server>("llmServer", "Address of the back end, or built-in."),
             field<&InfoBody::dim>("dim", "Number of components in a vector."),
             field<&InfoBody::max_texts>("maxTexts", "Highest number of texts in a request."),
             field<&InfoBody::max_text_bytes>("maxTextBytes", "Highest number of bytes in a text."),
             field<&InfoBody::calibration>("calibration", "Curve from cosine to score, linear between its points."),
             field<&InfoBody::endpoints>("endpoints", "Addresses that the service serves."));
};

inline constexpr auto methods =
    wire::methods(wire::call<EmbedRequest, EmbedReply>("POST /embed", "Embeds one text."),
                  wire::call<EmbedBatchRequest, EmbedBatchReply>("POST /embed-batch", "Embeds several texts."),
                  wire::call<OpenAiRequest, OpenAiReply>("POST /v1/embeddings", "Embeds one or more texts in OpenAI's form."),
                  wire::call<wire::Nothing, HealthBody>("GET /health", "Reports the state of the service and of its back end."),
                  wire::call<wire::Nothing, InfoBody>("GET /info", "Reports model, dimension, calibration and limits."));

}  // namespace parlance::embed

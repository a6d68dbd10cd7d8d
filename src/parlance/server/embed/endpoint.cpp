// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/embed/endpoint.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "parlance/base/text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/model/provider/endpoint.h"
#include "parlance/server/embed/vector_json.h"

namespace parlance::server {
namespace {

struct OpenAiBody {
  std::optional<std::string> model{};
  std::vector<std::string> input{};
  std::string encoding_format = "float";
  static constexpr auto wire =
      wire::fields(wire::field<&OpenAiBody::model>("model", "Name of the model. Absent: the model of the service."),
                   wire::field<&OpenAiBody::input>("input", "The texts to embed."),
                   wire::field<&OpenAiBody::encoding_format>(
                       "encoding_format", "Encoding of the vectors: float (a list of numbers) or base64. Default: float."));
};
struct TextBody {
  std::string text{};
  static constexpr auto wire = wire::fields(wire::field<&TextBody::text>("text", "One text to embed."));
};
struct TextsBody {
  std::vector<std::string> texts{};
  static constexpr auto wire = wire::fields(wire::field<&TextsBody::texts>("texts", "Several texts to embed."));
};
struct ContentBody {
  std::string content{};
  static constexpr auto wire = wire::fields(wire::field<&ContentBody::content>("content", "One text to embed."));
};

struct Item {
  std::optional<std::int64_t> index{};
  wire::Raw embedding{};
  static constexpr auto wire =
      wire::fields(wire::field<&Item::index>("index", "Position of the text in the request, counted from 0."),
                   wire::field<&Item::embedding>("embedding", "The vector of the text.").or_default());
};
struct Answer {
  wire::Raw model{};
  std::optional<std::vector<Item>> data{};
  std::optional<std::vector<wire::Raw>> embeddings{};
  wire::Raw embedding{};
  static constexpr auto wire =
      wire::fields(wire::field<&Answer::model>("model", "Name of the model that answered.").or_default(),
                   wire::field<&Answer::data>("data", "The vectors in OpenAI's form."),
                   wire::field<&Answer::embeddings>("embeddings", "The vectors of several texts, in the order of the request."),
                   wire::field<&Answer::embedding>("embedding", "The vector of a single text.").or_default());
};

std::optional<std::string_view> without_end(std::string_view path, std::string_view end) {
  if (!path.ends_with(end)) return std::nullopt;
  return path.substr(0, path.size() - end.size());
}

// Sorts vectors by `index`. Vectors of services without `index` keep their order.
Result<std::vector<wire::Raw>> in_order(std::vector<Item> items) {
  std::vector<wire::Raw> vectors(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto index = static_cast<std::size_t>(items[i].index.value_or(static_cast<std::int64_t>(i)));
    if (index >= vectors.size() || !vectors[index].json.empty())
      return fail(Errc::failed, "the indexes of its vectors are not an order");
    if (items[i].embedding.json.empty()) return fail(Errc::failed, "the answer has no embedding");
    vectors[index] = std::move(items[i].embedding);
  }
  return vectors;
}

Result<std::vector<wire::Raw>> vectors_of(std::string_view body, Answer& answer) {
  const std::string_view text = trim(body);
  if (text.starts_with('[')) {
    if (auto items = json::from_text<std::vector<Item>>(text)) return in_order(*std::move(items));
    auto rows = json::from_text<std::vector<wire::Raw>>(text);
    if (!rows) return fail(Errc::failed, "the answer is not JSON");
    return rows;
  }
  auto read = json::from_text<Answer>(text);
  if (!read) return fail(Errc::failed, "unknown form of the answer: " + read.error().message);
  answer = *std::move(read);
  if (answer.data) return in_order(*std::move(answer.data));
  if (answer.embeddings) return *std::move(answer.embeddings);
  if (!answer.embedding.json.empty()) return std::vector<wire::Raw>{std::move(answer.embedding)};
  return fail(Errc::failed, "the answer has no embedding");
}

}  // namespace

Result<EmbedEndpoint> parse_embed_url(std::string_view url) {
  const auto parts = model::split_url(trim(url));
  if (!parts)
    return fail(Errc::invalid_params,
                "the address of the embedding service is none: expected http://HOST[:PORT][/PATH] or https://…, such as "
                "http://127.0.0.1:8080");
  EmbedEndpoint endpoint{.host = parts->host, .secure = parts->secure};
  std::string_view path = parts->path;
  while (path.ends_with('/')) path.remove_suffix(1);
  std::string shown = parts->origin;
  if (const std::size_t at = shown.rfind('@'); at != std::string::npos) {
    const std::size_t from = shown.find("://") + 3;
    shown.erase(from, at + 1 - from);
  }
  endpoint.shown = shown + std::string(path);
  endpoint.info_url = parts->origin + "/info";
  const auto address = [&](std::string_view base, std::string_view method) {
    return parts->origin + std::string(base) + std::string(method) + parts->query;
  };
  const auto openai = [&](std::string_view base, std::string_view method) {
    endpoint.targets.push_back({.style = EmbedStyle::openai, .url = address(base, method)});
  };
  const auto embed = [&](std::string_view base) {
    endpoint.targets.push_back(
        {.style = EmbedStyle::embed, .url = address(base, "/embed"), .batch_url = address(base, "/embed-batch")});
  };
  const auto llama = [&](std::string_view base) {
    endpoint.targets.push_back({.style = EmbedStyle::llama, .url = address(base, "/embedding")});
  };
  // Ollama's own /api/embed accepts OpenAI's request.
  if (path.ends_with("/embeddings") || path.ends_with("/api/embed")) openai(path, "");
  else if (path.ends_with("/v1")) openai(path, "/embeddings");
  else if (const auto base = without_end(path, "/embed-batch")) embed(*base);
  else if (const auto single = without_end(path, "/embed")) embed(*single);
  else if (const auto own = without_end(path, "/embedding")) llama(*own);
  else {
    openai(path, "/v1/embeddings");
    embed(path);
    llama(path);
  }
  return endpoint;
}

std::string embed_body(const EmbedTarget& target, const std::string& model, std::span<const std::string> texts, bool many) {
  switch (target.style) {
    case EmbedStyle::openai:
      return json::to_text(
          OpenAiBody{.model = model.empty() ? std::nullopt : std::optional(model), .input = {texts.begin(), texts.end()}});
    case EmbedStyle::embed:
      return many ? json::to_text(TextsBody{.texts = {texts.begin(), texts.end()}})
                  : json::to_text(TextBody{.text = texts.front()});
    case EmbedStyle::llama: return json::to_text(ContentBody{.content = texts.front()});
  }
  return {};
}

Result<EmbedAnswer> read_embed_answer(std::string_view body, std::size_t texts) {
  Answer answer;
  PARLANCE_TRY(rows, vectors_of(body, answer));
  if (rows.size() != texts)
    return fail(Errc::failed,
                "it answers with " + std::to_string(rows.size()) + " vectors for " + std::to_string(texts) + " texts");
  EmbedAnswer out;
  out.vectors.reserve(rows.size());
  for (const wire::Raw& row : rows) {
    PARLANCE_TRY(vector, read_vector(row.json));
    if (vector.empty() || (!out.vectors.empty() && vector.size() != out.vectors.front().size()))
      return fail(Errc::failed, "the vectors of the answer are empty or differ in length");
    out.vectors.push_back(std::move(vector));
  }
  if (const auto name = json::from_text<std::string>(answer.model.json.empty() ? "\"\"" : answer.model.json)) out.model = *name;
  return out;
}

}  // namespace parlance::server

// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/connection/vendors.h"

#include <algorithm>

namespace parlance::model {
namespace {

constexpr std::array all{
    Vendor{.id = "anthropic",
           .name = "Anthropic",
           .url = "https://api.anthropic.com/v1",
           .kind = Kind::anthropic,
           .key_variables = {"ANTHROPIC_API_KEY"},
           .has_default_model = true},
    Vendor{.id = "openai",
           .name = "OpenAI",
           .url = "https://api.openai.com/v1",
           .key_variables = {"OPENAI_API_KEY"},
           .has_default_model = true},
    Vendor{.id = "gemini",
           .name = "Google Gemini",
           .url = "https://generativelanguage.googleapis.com/v1beta/openai",
           .key_variables = {"GEMINI_API_KEY", "GOOGLE_API_KEY"}},
    Vendor{
        .id = "openrouter", .name = "OpenRouter", .url = "https://openrouter.ai/api/v1", .key_variables = {"OPENROUTER_API_KEY"}},
    Vendor{.id = "deepseek", .name = "DeepSeek", .url = "https://api.deepseek.com/v1", .key_variables = {"DEEPSEEK_API_KEY"}},
    Vendor{.id = "mistral", .name = "Mistral", .url = "https://api.mistral.ai/v1", .key_variables = {"MISTRAL_API_KEY"}},
    Vendor{.id = "qwen",
           .name = "Qwen (DashScope)",
           .url = "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
           .key_variables = {"DASHSCOPE_API_KEY"}},
    Vendor{.id = "ollama", .name = "Ollama", .url = "http://127.0.0.1:11434/v1", .place = Place::this_machine},
    Vendor{.id = "lmstudio", .name = "LM Studio", .url = "http://127.0.0.1:1234/v1", .place = Place::this_machine},
    Vendor{.id = "llama.cpp", .name = "llama.cpp", .url = "http://127.0.0.1:8080/v1", .place = Place::this_machine},
    Vendor{.id = other_vendor, .name = "Another server", .url = "", .place = Place::unknown}};

}  // namespace

std::span<const Vendor> vendors() { return all; }

const Vendor* find_vendor(std::string_view id) {
  const auto* const found = std::ranges::find(all, id, &Vendor::id);
  return found == all.end() ? nullptr : found;
}

std::string vendor_ids() {
  std::string ids;
  for (const Vendor& vendor : all) ids += (ids.empty() ? "" : ", ") + std::string(vendor.id);
  return ids;
}

}  // namespace parlance::model

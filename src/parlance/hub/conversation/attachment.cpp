// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/conversation/attachment.h"

#include <algorithm>

namespace parlance::hub {
namespace {

constexpr std::size_t longest_media_type = 255;

bool is_token(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  };
  return !text.empty() && std::ranges::all_of(text, fits);
}

}  // namespace

bool is_media_type(std::string_view text) {
  const std::size_t slash = text.find('/');
  return text.size() <= longest_media_type && slash != std::string_view::npos && is_token(text.substr(0, slash)) &&
         is_token(text.substr(slash + 1));
}

Result<void> check_attachment(const std::string& place, std::string_view media_type, std::size_t bytes) {
  if (!is_media_type(media_type)) return fail(Errc::invalid_params, place + ": expected a media type, for example image/png");
  if (bytes == 0) return fail(Errc::invalid_params, place + ": the file is empty");
  if (media_type.starts_with("image/") && bytes > picture_bytes)
    return fail(Errc::invalid_params, place + ": the picture has " + std::to_string(bytes) + " bytes; at most " +
                                          std::to_string(picture_bytes) + ": make it smaller");
  return {};
}

}  // namespace parlance::hub

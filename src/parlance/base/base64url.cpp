// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/base64url.h"

#include "parlance/base/base64.h"

namespace parlance {

std::string to_base64url(BytesView bytes) {
  std::string text = to_base64(bytes);
  while (text.ends_with('=')) text.pop_back();
  for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
  return text;
}

std::optional<Bytes> from_base64url(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  if (text.size() % 4 == 1 || text.find_first_of("+/=") != std::string_view::npos) return std::nullopt;
  std::string padded(text);
  for (char& c : padded) c = c == '-' ? '+' : c == '_' ? '/' : c;
  padded.resize((padded.size() + 3) / 4 * 4, '=');
  return from_base64(padded);
}

}  // namespace parlance

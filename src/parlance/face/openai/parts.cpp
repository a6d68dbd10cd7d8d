// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/openai/parts.h"

#include <optional>
#include <utility>

#include "parlance/base/base64.h"
#include "parlance/base/uri.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/limits.h"

namespace parlance::openai {

std::unexpected<Error> wrong(std::string_view where, std::string_view what) {
  return fail(Errc::invalid_params, std::string(where) + ": " + std::string(what));
}

namespace {

// "data:image/png;base64,AAAA"
Result<model::Attachment> from_data_url(const std::string& url, const std::string& where) {
  if (url.starts_with("http://") || url.starts_with("https://"))
    return wrong(where, "this gateway fetches nothing from the network for a client; send it in the request, as a data: URL");
  const std::size_t comma = url.find(',');
  if (!url.starts_with("data:") || comma == std::string::npos)
    return wrong(where, "expected a data: URL, for example data:image/png;base64,iVBOR…");
  std::string_view head = std::string_view(url).substr(5, comma - 5);
  constexpr std::string_view mark = ";base64";
  const bool packed = head.ends_with(mark);
  if (packed) head.remove_suffix(mark.size());
  model::Attachment attachment{.media_type = std::string(head.substr(0, head.find(';')))};
  if (attachment.media_type.empty()) attachment.media_type = "text/plain";  // the default of RFC 2397
  const std::string_view body = std::string_view(url).substr(comma + 1);
  auto data = packed ? from_base64(body) : percent_decode(body);
  if (!data) return wrong(where, packed ? "its base64 is broken" : "its %-escapes are broken");
  attachment.data = *std::move(data);
  PARLANCE_TRY_DO(hub::check_attachment(where, attachment.media_type, attachment.data.size()));
  PARLANCE_TRY(type, model::checked_media_type(where, std::move(attachment.media_type), attachment.data));
  attachment.media_type = std::move(type);
  return attachment;
}

Result<std::string> text_member(const json::Value& part, std::string_view member, const std::string& where) {
  const json::Value* const text = part.find(member);
  if (text == nullptr || text->text() == nullptr) return wrong(where + "." + std::string(member), "expected text");
  return *text->text();
}

// {"type":"image_url","image_url":{"url":"data:…"}}; of the Responses API {"type":"input_image","image_url":"data:…"}
Result<model::Attachment> read_picture(const json::Value& part, const std::string& where) {
  const json::Value* const picture = part.find("image_url");
  if (picture == nullptr && part.find("file_id") != nullptr)
    return wrong(where + ".file_id", "no files are kept here; send the picture in image_url, as a data: URL");
  if (picture == nullptr) return wrong(where + ".image_url", "missing");
  if (picture->text() != nullptr) return from_data_url(*picture->text(), where + ".image_url");
  PARLANCE_TRY(url, text_member(*picture, "url", where + ".image_url"));
  PARLANCE_TRY(attachment, from_data_url(url, where + ".image_url.url"));
  if (!attachment.media_type.starts_with("image/"))
    return wrong(where + ".image_url.url", "this is no picture; send it as a part of type file");
  return attachment;
}

// {"type":"file","file":{"filename":"a.pdf","file_data":"data:…"}}; in the Responses API these are members of the part itself.
Result<model::Attachment> read_file(const json::Value& part, const std::string& where) {
  const json::Value* const inner = part.find("file");
  const json::Value& file = inner != nullptr ? *inner : part;
  const std::string here = inner != nullptr ? where + ".file" : where;
  for (const std::string_view elsewhere : {"file_id", "file_url"})
    if (file.find(elsewhere) != nullptr && file.find("file_data") == nullptr)
      return wrong(here + "." + std::string(elsewhere),
                   "no files are kept or fetched here; send the file in file_data, as a data: URL");
  PARLANCE_TRY(data, text_member(file, "file_data", here));
  PARLANCE_TRY(attachment, from_data_url(data, here + ".file_data"));
  attachment.name = file.text_or("filename", "");
  return attachment;
}

Result<void> read_part(const json::Value& part, const std::string& where, Content& into) {
  const std::string_view type = part.text_or("type", "");
  if (type == "image_url" || type == "input_image" || type == "file" || type == "input_file") {
    PARLANCE_TRY(attachment, type.ends_with("file") ? read_file(part, where) : read_picture(part, where));
    into.attachments.push_back(std::move(attachment));
    return {};
  }
  if (type != "text" && type != "input_text" && type != "output_text" && type != "refusal")
    return wrong(where, "only parts of type text, image_url and file are understood");
  PARLANCE_TRY(text, text_member(part, type == "refusal" ? "refusal" : "text", where));
  if (!into.text.empty()) into.text += '\n';
  into.text += text;
  return {};
}

}  // namespace

Result<Content> read_content(const wire::Raw& content, std::string_view where) {
  Content out;
  if (content.json.empty()) return out;
  PARLANCE_TRY(value, json::parse(content.json));
  if (value.is_null()) return out;
  if (const std::string* const text = value.text()) {
    out.text = *text;
    return out;
  }
  const json::Array* const parts = value.array();
  if (parts == nullptr) return wrong(std::string(where), "expected text or a list of parts");
  for (std::size_t i = 0; i < parts->size(); ++i)
    PARLANCE_TRY_DO(read_part((*parts)[i], std::string(where) + "[" + std::to_string(i) + "]", out));
  if (out.attachments.size() > limits::prompt_attachments)
    return wrong(std::string(where),
                 std::to_string(out.attachments.size()) + " attachments; at most " + std::to_string(limits::prompt_attachments));
  return out;
}

}  // namespace parlance::openai

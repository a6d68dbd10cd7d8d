// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/editor/editor_link.h"

#include <utility>

#include "parlance/protocol/editor/dialect.h"
#include "parlance/protocol/editor/framing.h"
#include "parlance/transport/framed_stream.h"

namespace parlance::driver {
namespace method = editor::method;

namespace {

void hear(Router& router, EditorEars& ears) {
  router.on_unknown([](std::string_view name) { return Error{Errc::unknown_method, "Method not found: " + std::string(name)}; });
  router.on(method::user_input, [&ears](editor::UserInput& input, Context&) {
    if (ears.typed) ears.typed(std::move(input.text));
  });
  router.on(method::context_changed, [&ears](const editor::ContextChanged& context, Context&) {
    if (ears.context) ears.context(context);
  });
  router.on(method::diff_closed, [&ears](const editor::DiffClosed& diff, Context&) {
    if (ears.diff_closed) ears.diff_closed(diff);
  });
  router.on(method::at_mentioned, [&ears](const editor::AtMentioned& lines, Context&) {
    if (ears.mentioned) ears.mentioned(lines);
  });
  router.on(method::document_saved, [&ears](const editor::OfPath& document, Context&) {
    if (ears.saved) ears.saved(document.path);
  });
  router.on(method::shutdown, [&ears](const wire::Nothing&, Context&) {
    if (ears.shutdown) ears.shutdown();
  });
}

}  // namespace

struct EditorLink::Parts {
  EditorEars ears;
  Router router;
  editor::SharedLineFraming* framing;
  Frames* frames;
  Peer peer;
  EditorViaBridge editor;

  Parts(Loop& loop, EditorEars heard, std::unique_ptr<editor::SharedLineFraming> lines, std::unique_ptr<ByteStream> stream,
        Duration request)
      : Parts(loop, std::move(heard), lines.get(), framed_stream(loop, std::move(stream), std::move(lines)), request) {}

 private:
  Parts(Loop& loop, EditorEars heard, editor::SharedLineFraming* lines, std::unique_ptr<Frames> over, Duration request)
      : ears(std::move(heard)),
        framing(lines),
        frames(over.get()),
        peer(loop, std::move(over),
             editor::dialect(
                 {.text = [this](std::string_view line) { typed(line); }, .diagnose = ears.diagnose, .contents = ears.contents}),
             router),
        editor(peer, request) {
    hear(router, ears);
  }
  void typed(std::string_view line) {
    if (ears.typed) ears.typed(std::string(line));
  }
};

EditorLink::EditorLink(Loop& loop, std::unique_ptr<ByteStream> stream, EditorEars ears, Duration request)
    : parts_(std::make_unique<Parts>(loop, std::move(ears), std::make_unique<editor::SharedLineFraming>(), std::move(stream),
                                     request)) {}
EditorLink::~EditorLink() = default;

Task<Error> EditorLink::run() { return parts_->peer.run(); }
void EditorLink::close() { parts_->peer.close(); }
hub::Editor& EditorLink::editor() { return parts_->editor; }
Peer& EditorLink::peer() { return parts_->peer; }

void EditorLink::print(std::string_view text) {
  parts_->framing->next_is_text();
  static_cast<void>(parts_->frames->send(text));  // run() reports a closed connection
}

Task<Result<editor::Initialized>> EditorLink::initialize(editor::Program ours, std::optional<std::string> token) {
  PARLANCE_CO_TRY(there, co_await parts_->peer.call(method::initialize, {.client = std::move(ours), .token = std::move(token)},
                                                    within(editor::limits::request)));
  parts_->editor.use_second_version();
  co_return there;
}

void EditorLink::tell_status(editor::Status now) { static_cast<void>(parts_->peer.notify(method::status, now)); }

void EditorLink::log(editor::Level level, std::string message) {
  static_cast<void>(parts_->peer.notify(method::log, {.level = level, .message = std::move(message)}));
}

}  // namespace parlance::driver

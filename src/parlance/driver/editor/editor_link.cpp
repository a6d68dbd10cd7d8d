// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/editor/editor_link.h"

#include <utility>

#include "parlance/protocol/editor/dialect.h"
#include "parlance/protocol/editor/framing.h"
#include "parlance/transport/framed_stream.h"

namespace parlance::driver {
namespace method = editor::method;

namespace {

void register_handlers(Router& router, EditorHandlers& handlers) {
  router.on_unknown([](std::string_view name) { return Error{Errc::unknown_method, "Method not found: " + std::string(name)}; });
  router.on(method::user_input, [&handlers](editor::UserInput& input, Context&) {
    if (handlers.typed) handlers.typed(std::move(input.text));
  });
  router.on(method::context_changed, [&handlers](const editor::ContextChanged& context, Context&) {
    if (handlers.context) handlers.context(context);
  });
  router.on(method::diff_closed, [&handlers](const editor::DiffClosed& diff, Context&) {
    if (handlers.diff_closed) handlers.diff_closed(diff);
  });
  router.on(method::at_mentioned, [&handlers](const editor::AtMentioned& lines, Context&) {
    if (handlers.mentioned) handlers.mentioned(lines);
  });
  router.on(method::document_saved, [&handlers](const editor::OfPath& document, Context&) {
    if (handlers.saved) handlers.saved(document.path);
  });
  router.on(method::shutdown, [&handlers](const wire::Nothing&, Context&) {
    if (handlers.shutdown) handlers.shutdown();
  });
}

}  // namespace

struct EditorLink::Parts {
  EditorHandlers handlers;
  Router router;
  editor::SharedLineFraming* framing;
  Frames* frames;
  Peer peer;
  EditorViaBridge editor;

  Parts(Loop& loop, EditorHandlers given, std::unique_ptr<editor::SharedLineFraming> lines, std::unique_ptr<ByteStream> stream,
        Duration request)
      : Parts(loop, std::move(given), lines.get(), framed_stream(loop, std::move(stream), std::move(lines)), request) {}

 private:
  Parts(Loop& loop, EditorHandlers given, editor::SharedLineFraming* lines, std::unique_ptr<Frames> over, Duration request)
      : handlers(std::move(given)),
        framing(lines),
        frames(over.get()),
        peer(loop, std::move(over),
             editor::dialect({.text = [this](std::string_view line) { typed(line); },
                              .diagnose = handlers.diagnose,
                              .contents = handlers.contents}),
             router),
        editor(peer, request) {
    register_handlers(router, handlers);
  }
  void typed(std::string_view line) {
    if (handlers.typed) handlers.typed(std::string(line));
  }
};

EditorLink::EditorLink(Loop& loop, std::unique_ptr<ByteStream> stream, EditorHandlers handlers, Duration request)
    : parts_(std::make_unique<Parts>(loop, std::move(handlers), std::make_unique<editor::SharedLineFraming>(), std::move(stream),
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

void EditorLink::send_status(editor::Status now) { static_cast<void>(parts_->peer.notify(method::status, now)); }

void EditorLink::log(editor::Level level, std::string message) {
  static_cast<void>(parts_->peer.notify(method::log, {.level = level, .message = std::move(message)}));
}

}  // namespace parlance::driver

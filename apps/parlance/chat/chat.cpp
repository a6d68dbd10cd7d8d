// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/chat/chat.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "apps/parlance/chat/editor_asks.h"
#include "apps/parlance/chat/gateway_rooms.h"
#include "apps/parlance/chat/own_rooms.h"
#include "apps/parlance/chat/slash_commands.h"
#include "apps/parlance/exit_code.h"
#include "apps/parlance/terminal/mode_words.h"
#include "parlance/async/scope.h"
#include "parlance/base/text.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/hub/runtime/snapshot.h"

namespace parlance::app {
namespace {

std::unique_ptr<Rooms> rooms_of(Loop& loop, const Settings& settings, const ChatOptions& options, hub::Editor* editor) {
  if (options.gateway) return std::make_unique<GatewayRooms>(options.gateway);
  return std::make_unique<OwnRooms>(loop, settings, editor);
}

// Leaves requests open for another frontend if `answers` is false.
class SomeAnswers final : public AskAnswerer {
 public:
  SomeAnswers(AskAnswerer& inner, std::function<bool()> answers) : inner_(inner), answers_(std::move(answers)) {}
  Task<Result<void>> settle(hub::Ask ask) override {
    if (!answers_()) co_return Result<void>{};
    co_return co_await inner_.settle(std::move(ask));
  }

 private:
  AskAnswerer& inner_;
  std::function<bool()> answers_;
};

constexpr auto twice = std::chrono::seconds(2);        // maximum pause between two presses of Ctrl-C
constexpr auto queue_pause = std::chrono::seconds(2);  // longest pause between two turns of a queue that is not held
constexpr std::size_t looked_back = 200;               // events in a read of a resumed conversation

}  // namespace

Chat::Chat(Loop& loop, const Settings& settings, ChatOptions options, ChatPlace place)
    : loop_(loop),
      options_(std::move(options)),
      place_(std::move(place)),
      rooms_(rooms_of(loop, settings, options_, place_.editor)),
      status_(place_.status),
      quit_(loop) {}
Chat::~Chat() = default;

void Chat::say(const std::string& line) const {
  if (talk_) talk_->output.note(line);
  else place_.paper.note(line);
}
const hub::Conversation& Chat::conversation() const { return talk_->row(); }

Task<int> Chat::run() {
  if (options_.gateway) options_.gateway->report = [this](const std::string& line) { say("(" + line + ")"); };
  if (const auto begun = co_await under(quit_, begin()); quit_.cancelled()) co_return ExitCode::failed;
  else if (!begun) co_return complain_of_use(begun.error(), ExitCode::not_started);
  if (place_.prompts)
    say(conversation().agent + " in " + conversation().folder +
        (rooms_->elsewhere().empty() ? "" : " at " + rooms_->elsewhere()) + ", mode " +
        std::string(to_string(conversation().mode)) + ". /help lists the commands.");
  while (!done_ && !quit_.cancelled()) {
    Typed typed = co_await next_line();
    if (typed.kind == Typed::Kind::ended) break;
    if (typed.kind == Typed::Kind::text) co_await take(std::move(typed.text));
    else if (!asked_.empty()) co_await answer_others(typed.text);
    else if (again_ && typed.text.empty()) break;
    else if (!quit_.cancelled()) say("(Ctrl-C again quits)");
  }
  co_await leave();
  co_return failed_ ? ExitCode::failed : ExitCode::done;
}

// Events of other programs appear while the person types.
Task<Typed> Chat::next_line() {
  Scope others(loop_);
  if (asked_.empty()) others.start(show_others());
  if (!asked_.empty()) co_return Typed{.kind = Typed::Kind::interrupted};
  reading_ = true;
  talk_->output.hold_lines(place_.prompts);
  Typed typed = co_await place_.console.line(place_.prompts ? "> " : "");
  talk_->output.hold_lines(false);
  reading_ = false;
  co_return typed;
}

Task<void> Chat::show_others() {
  while (asked_.empty()) {
    const auto batch = co_await talk_->follower.next();
    if (!batch) co_return;  // the next command reports the reason
    if (!batch->events.empty()) place_.console.make_room();
    for (const hub::EventPtr& event : batch->events) {
      show_message(event->body);
      talk_->output.show(*event);
      if (const hub::Ask* const ask = ask_of(event->body); ask != nullptr && asks_person()) asked_.push_back(*ask);
    }
    if (!batch->events.empty() && place_.prompts) place_.console.resized();  // redraws the typed text
  }
  place_.console.interrupt();
}

void Chat::show_message(const hub::EventBody& body) {
  const auto* const message = std::get_if<hub::event::UserMessage>(&body);
  if (message != nullptr && message->turn != turn_id_) say(message->by.value_or("another program") + ": " + message->text);
}

Task<void> Chat::answer_others(std::string typed) {
  if (!typed.empty()) say("(not sent: " + typed + ")");
  for (hub::Ask& ask : std::exchange(asked_, {}))
    if (const auto settled = co_await talk_->answerer().settle(std::move(ask)); !settled) say(settled.error());
}

Task<Result<void>> Chat::begin() {
  PARLANCE_CO_TRY_DO(co_await rooms_->ready());
  if (!options_.resume) {
    PARLANCE_CO_TRY(room, co_await rooms_->create(options_.room));
    co_await enter(std::move(room));
    co_return Result<void>{};
  }
  std::string id = *options_.resume;
  if (id.empty()) {
    PARLANCE_CO_TRY(known, co_await rooms_->list());
    const auto here = std::ranges::find_if(known, [&wanted = options_.room](const RoomInfo& room_info) {
      return !room_info.conversation.archived.value_or(false) &&
             (wanted.folder.empty() || room_info.conversation.folder == wanted.folder) &&
             (wanted.agent.empty() || room_info.conversation.agent == wanted.agent);
    });
    if (here == known.end())
      co_return fail(
          Errc::not_found,
          "there is no conversation" + (options_.room.agent.empty() ? "" : " with " + options_.room.agent) +
              (options_.room.folder.empty() ? "" : " of " + options_.room.folder) +
              " to continue: begin without --resume, or name another folder with --cwd" +
              (options_.gateway && options_.gateway->is_own() ? "; --to none finds chats that ran without the gateway" : ""));
    id = here->id;
  }
  PARLANCE_CO_TRY(room, co_await rooms_->open(id, options_.room.command));
  co_await enter(std::move(room));
  co_await show_turns(1);
  co_return Result<void>{};
}

// The previous room ends together with its agent.
Task<void> Chat::enter(std::unique_ptr<Room> room) {
  co_await leave();
  asked_.clear();
  talk_ = std::make_unique<Talk>(std::move(room), place_, options_.approve);
}
Task<void> Chat::leave() {
  if (!talk_) co_return;
  auto room = std::move(talk_->room);
  talk_.reset();
  co_await rooms_->close(std::move(room));
}

Task<void> Chat::take(std::string text) {
  const std::string_view words = trim(text);
  if (words.empty()) co_return;
  const bool is_deleted = talk_->present() == nullptr;
  if (is_deleted)
    say("(the conversation was deleted, or you may no longer read it: /resume lists others, /agent NAME begins a new one)");
  if ((words.starts_with('/') && co_await take_command(words)) || is_deleted) co_return;
  co_await turn(std::string(words));
}

Task<bool> Chat::take_command(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
  const std::string name(text.substr(1, end - 1));
  std::string words(trim(text.substr(end)));
  if (const SlashCommand* const command = find_command(name)) {
    const auto lines = co_await under(quit_, command->run(*this, std::move(words)));
    if (quit_.cancelled()) co_return true;
    if (!lines) say(lines.error());
    else if (!lines->empty()) say(*lines);
    co_return true;
  }
  const auto is_it = [&name](const hub::SlashCommand& command) { return command.name == name; };
  if (std::ranges::any_of(talk_->output.commands(), is_it)) co_return false;
  for (const hub::AgentInfo& agent : talk_->room->hub.agents())
    if (agent.commands && std::ranges::any_of(*agent.commands, is_it)) co_return false;
  if (name.contains('/')) co_return false;  // a path
  say("/" + name + ": unknown command; /help lists the commands");
  co_return true;
}

// To the end of the own turn. `--approve` answers requests of a turn with this id only: a queued prompt has no id yet, so that a
// turn of another person can never be taken for it.
Task<Result<hub::StopReason>> Chat::follow_own(hub::Prompted begun, std::string text) {
  std::string running;  // the turn of the last event; empty: between turns, or begun before the follower
  std::string ended;
  SomeAnswers asks(talk_->answerer(), [&] { return asks_person() || (!begun.turn.empty() && running == begun.turn); });
  const auto on_event = [&](const hub::EventBody& body) {
    if (const auto* start = std::get_if<hub::event::TurnStart>(&body)) running = start->turn;
    if (const auto* message = std::get_if<hub::event::UserMessage>(&body); message != nullptr && turn_id_.empty())
      if (message->text == text) turn_id_ = message->turn;
    if (const auto* end = std::get_if<hub::event::TurnEnd>(&body)) ended = end->turn;
    show_message(body);
    status_.receive(body);
  };
  for (;;) {
    CancelSource wait(loop_);
    waiting_ = turn_id_.empty() ? &wait : nullptr;
    Scope watching(loop_);
    if (waiting_ != nullptr) watching.start(end_wait(wait));
    const auto stop = co_await under(wait, follow_turn(talk_->follower, talk_->output, asks, on_event));
    waiting_ = nullptr;
    if (stop && !turn_id_.empty() && ended == turn_id_) {
      if (*stop == hub::StopReason::cancelled) say("(stopped)");
      co_return stop;
    }
    if (!wait.cancelled()) PARLANCE_CO_TRY_DO(stop);
    else if (co_await leave_queue(begun.queued)) co_return hub::StopReason::end_turn;
  }
}

// Without a turn for some time, the queue is held, or the prompt is not in the queue any more.
Task<void> Chat::end_wait(CancelSource& wait) {
  const auto stands_still = [this] { return turn_id_.empty() && conversation().state == hub::ConversationState::idle; };
  const auto watcher = talk_->room->hub.watch();
  for (;;) {
    if (stands_still()) {
      co_await sleep_for(loop_, queue_pause);
      if (stands_still()) break;
    } else {
      static_cast<void>(co_await watcher->next());
    }
  }
  wait.cancel();
}

Task<bool> Chat::leave_queue(std::string prompt) {
  if (turn_ != Turn::stopping) {
    const std::vector<hub::QueuedPrompt>& queued = conversation().queued;
    const bool waits = std::ranges::find(queued, prompt, &hub::QueuedPrompt::id) != queued.end();
    say(waits ? "(the queue is held: /queue go continues, /queue drop NUMBER removes a message)"
              : "(your message was removed from the queue)");
    co_return true;
  }
  turn_ = Turn::running;
  const auto withdrawn = co_await submit(hub::WithdrawPrompt{.prompt = std::move(prompt)});
  if (withdrawn) say("(your message is withdrawn)");
  else if (withdrawn.error().code != Errc::not_found) say(withdrawn.error());
  else static_cast<void>(talk_->room->hub.submit_at_once(talk_->room->conversation, hub::StopTurn{.only_own = true}));
  co_return withdrawn || withdrawn.error().code != Errc::not_found;
}

Task<void> Chat::turn(std::string text) {
  std::vector<hub::PromptContext> context;
  if (place_.context) context = co_await place_.context();
  if (place_.editor != nullptr) context = co_await mentions_.before(std::move(context), *place_.editor);
  talk_->output.begin_turn();
  turn_ = Turn::running;
  status_.begin_turn();
  failed_ = true;
  const auto begun = co_await submit(hub::SendPrompt{.text = text, .attachments = attached_, .context = std::move(context)});
  if (!begun) {
    say(begun.error());
  } else {
    attached_.clear();
    turn_id_ = begun->turn;
    if (turn_id_.empty())
      say(asks_person() ? "(waits for the running turn)"
                        : "(waits for the running turn; --approve does not answer its requests)");
    const auto stop = co_await under(quit_, follow_own(*begun, text));
    waiting_ = nullptr;
    if (!stop && stop.error().code != Errc::cancelled) {
      say(stop.error());
      note_open_asks();  // an answer may be lost
    }
    failed_ = !stop || *stop == hub::StopReason::error;
  }
  turn_ = Turn::none;
  status_.end_turn();
}

void Chat::mentioned(const editor::AtMentioned& lines) {
  const bool beside_a_prompt = reading_ && place_.prompts;
  say((beside_a_prompt ? "\n(" : "(") + mentions_.add(lines) + " is added to the next message)");
  if (beside_a_prompt) place_.console.resized();  // redraws the typed text
}

// Shows the last turns, to remind the person of the conversation.
Task<void> Chat::show_turns(std::size_t turns) {
  const auto is_start = [](const hub::Event& event) { return std::holds_alternative<hub::event::UserMessage>(event.body); };
  std::vector<hub::Event> events;
  for (std::uint64_t before = 0;;) {
    auto page = co_await talk_->room->hub.events(talk_->room->conversation, 0, before, looked_back);
    if (!page) {
      say(page.error());
      co_return;
    }
    before = page->first_seq;
    std::ranges::move(events, std::back_inserter(page->events));
    events = std::move(page->events);
    if (before <= 1 || std::cmp_greater_equal(std::ranges::count_if(events, is_start), turns)) break;
  }
  auto first = events.end();
  for (auto at = events.end(); at != events.begin() && turns != 0;) {
    if (!is_start(*--at)) continue;
    first = at;
    --turns;
  }
  say(conversation().title);
  for (const hub::Event& event : std::ranges::subrange(first == events.end() ? events.begin() : first, events.end())) {
    if (const auto* said = std::get_if<hub::event::UserMessage>(&event.body)) say("> " + said->text);
    else talk_->output.show(event);
  }
  note_open_asks();
}

// The person answers them before the next line.
void Chat::note_open_asks() {
  asked_.clear();
  for (hub::Ask& ask : open_asks(talk_->room->hub))
    if (asks_person() && ask.conversation == talk_->room->conversation && ask.state == hub::AskState::open)
      asked_.push_back(std::move(ask));
}

void Chat::stop() {
  if (!working()) return;
  turn_ = Turn::stopping;
  // A waiting prompt is withdrawn: the running turn may be that of another person.
  if (waiting_ != nullptr && turn_id_.empty()) waiting_->cancel();
  else static_cast<void>(talk_->room->hub.submit_at_once(talk_->room->conversation, hub::StopTurn{}));
  if (talk_->in_editor) talk_->in_editor->interrupt();
  place_.console.interrupt();
}
void Chat::quit() {
  if (working())
    say("(quitting; the agent has " +
        std::to_string(std::chrono::duration_cast<std::chrono::seconds>(limits::stop_grace).count()) + " s to end its turn)");
  stop();
  quit_.cancel();
  place_.console.interrupt();
}
void Chat::interrupted() {
  again_ = std::exchange(interrupted_at_, loop_.now()) + twice > loop_.now();
  if (turn_ == Turn::stopping || (!working() && again_ && !reading_)) return quit();
  stop();
  place_.console.interrupt();
}

}  // namespace parlance::app

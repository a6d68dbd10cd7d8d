// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/page_witness.h"

#include <variant>

#include "parlance/codec/json/typed.h"
#include "parlance/wire_form/event_tables.h"
#include "tests/simulator/sentence.h"

namespace parlance::simulator {

namespace {

std::uint64_t number_of(const wire::Raw& event) {
  const auto head = json::from_text<wire_form::EventHead>(event.json);
  return head ? head->seq : 0;
}

}  // namespace

void PageWitness::from_page(BytesView frame) {
  const auto message = json::from_text<page::PageMessage>(frame);
  if (!message) return;  // Half a message of a page that closed.
  if (const auto* const open = std::get_if<page::OpenConversation>(&message->value))
    opening_.emplace(open->request, open->conversation);
  if (const auto* const close = std::get_if<page::CloseConversation>(&message->value))
    closing_.emplace(close->request, close->conversation);
}

void PageWitness::from_gateway(BytesView frame) {
  const auto message = json::from_text<page::HostMessage>(frame);
  if (!message) return;  // Half a message of a gateway that died.
  if (const auto* const snapshot = std::get_if<page::Snapshot>(&message->value)) {
    change_ = snapshot->seq;
    last_.clear();
  } else if (const auto* const delta = std::get_if<page::Delta>(&message->value)) {
    take(*delta);
  } else if (const auto* const done = std::get_if<page::Done>(&message->value)) {
    take(*done);
  } else if (const auto* const failed = std::get_if<page::Failed>(&message->value)) {
    opening_.erase(failed->request);
    closing_.erase(failed->request);
  }
}

// The events of an answer precede all later events.
void PageWitness::take(const page::Done& done) {
  if (const auto closed = closing_.extract(done.request); !closed.empty()) last_.erase(closed.mapped());
  const auto opened = opening_.extract(done.request);
  if (opened.empty() || !done.value) return;
  const auto value = json::from_text<page::OpenedValue>(done.value->json);
  if (!value) return ledger_.wrong(opened.mapped() + ": a gateway sends an unreadable page of events");
  std::uint64_t next = value->first_seq;
  for (const wire::Raw& event : value->events)
    if (number_of(event) != next++)
      ledger_.wrong(sentence(opened.mapped(), ": a page of events has event ", number_of(event), " in place of ", next - 1));
  if (next != value->last_seq + 1)
    ledger_.wrong(sentence(opened.mapped(), ": a page of events ends before event ", next, " of ", value->last_seq));
  last_[opened.mapped()] = value->last_seq;
}

void PageWitness::take(const page::Delta& delta) {
  if (!change_ || delta.seq != *change_ + 1)
    ledger_.wrong(sentence("a gateway sends change ", delta.seq, " after change ", change_.value_or(0)));
  change_ = delta.seq;
  for (const page::Op& change : delta.ops)
    if (const auto* const events = std::get_if<page::EventsOp>(&change.value)) take(*events);
}

void PageWitness::take(const page::EventsOp& change) {
  const auto last = last_.find(change.conversation);
  if (last == last_.end()) return ledger_.wrong(change.conversation + ": a gateway sends events of a closed conversation");
  for (const wire::Raw& event : change.events) {
    const std::uint64_t number = number_of(event);
    if (number != last->second + 1)
      ledger_.wrong(sentence(change.conversation, ": a gateway sends event ", number, " after event ", last->second));
    last->second = number;
  }
}

}  // namespace parlance::simulator

// SPDX-License-Identifier: Apache-2.0
// The answers of the mock host (mock_host.mjs) to the messages of a page, by the type of the message. `held` is the named conversation.

/** The reason of a stopped turn. */
export class Cancelled extends Error {}

/** The agents of a new host. */
export const agents = () => [
  {
    id: 'parlance',
    name: 'Rehearsal',
    state: 'ready',
    detail: '',
    modes: ['default', 'autoEdit', 'yolo', 'plan', 'smart'],
    models: [],
    scripted: true,
  },
  {
    id: 'claude',
    name: 'Claude Code',
    state: 'ready',
    detail: '',
    modes: ['default', 'autoEdit', 'yolo', 'plan'],
    models: ['opus', 'sonnet'],
    scripted: false,
    keeps_sessions: true,
  },
];

function choose(host, { conversation, option, value }) {
  const options = host.conversations
    .get(conversation)
    .conversation.options.map((one) => (one.id === option ? { ...one, value } : one));
  host.update(conversation, { options });
  host.emit(conversation, { kind: 'option', id: option, name: option, value, by: 'person' });
}

const PAGE_BYTES = 4 << 20;

/** The newest events, limited as by the gateway (Hub::events): a number, 4 MiB, and at least one. */
function newest(events, limit = 2000) {
  let from = events.length;
  for (let bytes = 0; from > 0 && from > events.length - limit; --from) {
    bytes += events[from - 1].text?.length ?? 0;
    if (bytes > PAGE_BYTES && from < events.length) break;
  }
  return events.slice(from);
}

export const handlers = {
  ready: ({ host, page }) => {
    page.ready = true;
    page.opened.clear();
    page.send({
      type: 'snapshot',
      seq: page.seq,
      version: 'mock',
      capabilities: host.capabilities,
      home: '/home/ann',
      default_folder: '/home/ann/code/engine',
      attachment_limits: host.attachmentLimits,
      agents: host.agents,
      services: host.services,
      conversations: [...host.conversations.values()].map((one) => one.conversation),
      asks: [...host.asks.values()].filter((ask) => ask.state === 'open' || ask.state === 'orphaned'),
      rules: [...host.rules.values()],
      team: host.team,
    });
  },
  open: ({ page, message, held, done }) => {
    page.opened.add(message.conversation);
    const events = newest(
      held.events.filter((event) => event.seq > message.after),
      message.limit,
    );
    done({
      events,
      last_seq: held.conversation.last_seq,
      first_seq: events[0]?.seq ?? held.conversation.last_seq + 1,
    });
  },
  older: ({ message, held, done }) => {
    const events = newest(
      held.events.filter((event) => event.seq < message.before),
      message.limit,
    );
    done({ events, first_seq: events[0]?.seq ?? 1 });
  },
  close: ({ page, message, done }) => {
    page.opened.delete(message.conversation);
    done();
  },
  new: ({ host, message, done }) => {
    const id = host.addConversation({ agent: message.agent, folder: message.folder, mode: message.mode });
    done({ conversation: host.conversations.get(id).conversation });
  },
  prompt: ({ host, message, held, done, failed }) => {
    if (host.refusePrompts) {
      failed('failed', host.refusePrompts);
    } else if (held.turn) {
      const queued = { id: `q-${host.nextId()}`, text: message.text, attachments: host.keep(message.attachments) };
      host.update(message.conversation, { queued: [...held.conversation.queued, queued] });
      done({ queued: queued.id });
    } else {
      done({ turn: host.start(message.conversation, message.text, host.keep(message.attachments)) });
    }
  },
  withdraw: ({ host, message, held, done }) => {
    host.update(message.conversation, {
      queued: held.conversation.queued.filter((one) => one.id !== message.queued),
    });
    done();
  },
  go_on: ({ host, message, done }) => {
    host.goOn(message.conversation);
    done();
  },
  stop: ({ host, message, held, done }) => {
    for (const ask of host.asks.values())
      if (ask.conversation === message.conversation && ask.state === 'open')
        host.settleAsk(ask, { state: 'cancelled', by: 'stop' });
    held.turn?.fail(new Cancelled('stopped'));
    done();
  },
  answer: ({ host, message, done, failed }) => {
    const ask = host.asks.get(message.ask);
    if (!ask || ask.state !== 'open') {
      failed('failed', 'somebody answered already');
      return;
    }
    if (ask.digest !== message.digest) {
      failed('failed', 'what was shown is not what is asked');
      return;
    }
    done();
    host.settleAsk(ask, {
      state: 'answered',
      chosen: message.option,
      text: message.text,
      by: 'person',
      answers: message.answers,
      edited: message.edited,
    });
  },
  reask: ({ host, message, done, failed }) => {
    const ask = host.asks.get(message.ask);
    if (ask?.state !== 'orphaned') {
      failed('failed', 'nothing to ask again');
      return;
    }
    host.settleAsk(ask, { state: 'cancelled', by: 'asked again' });
    done();
    host.setService('agent', 'ready');
    host.start(
      ask.conversation,
      host.conversations.get(ask.conversation).events.findLast((event) => event.kind === 'user_message').text,
    );
  },
  set: ({ host, message, done }) => {
    const { type, request, conversation, ...changes } = message;
    host.update(conversation, changes);
    if (changes.mode) host.emit(conversation, { kind: 'mode', mode: changes.mode });
    done();
  },
  set_option: ({ host, message, done }) => {
    choose(host, message);
    done();
  },
  search: ({ host, message, done }) => {
    const words = message.words.toLowerCase();
    const kinds = ['user_message', 'text', 'thinking_content', 'tool_output', 'tool_update'];
    const textOf = (event) => event.text ?? event.content.map((one) => one.after ?? '').join('\n');
    const hits = [...host.conversations.values()].flatMap(({ conversation, events }) => {
      const found = events.findLast(
        (event) => kinds.includes(event.kind) && textOf(event).toLowerCase().includes(words),
      );
      return found ? [{ conversation: conversation.id, seq: found.seq, snippet: textOf(found) }] : [];
    });
    done({ hits });
  },
  sessions: ({ host, message, done, failed }) => {
    if (host.sessions.fault) failed('failed', host.sessions.fault);
    else
      done({
        sessions: host.sessions.list
          .filter((one) => one.folder === message.folder)
          .map(({ id, title, updated_at: updatedAt }) => ({ id, title, updated_at: updatedAt })),
      });
  },
  setup: ({ host, done }) => done({ agents: [], folders: [], ...host.setup }),
  models: ({ host, done }) => done({ vendors: [], connections: [], found: [], fixed_by: '', ...host.models }),
  adopt: ({ host, message, done }) => {
    const kept = host.sessions.list.find((one) => one.id === message.session);
    host.sessions.list = host.sessions.list.filter((one) => one !== kept);
    const id = host.addConversation({ ...message, title: kept.title, events: kept.events });
    done({ conversation: host.conversations.get(id).conversation });
  },
  usage: ({ host, done }) => {
    done({ today: new Date().toLocaleDateString('sv'), spent: host.spent, limits: host.limits });
  },
  memory_list: ({ host, done }) => {
    done({ memories: host.memories, next: '' });
  },
  files: ({ host, message, done }) =>
    done({ paths: host.files.filter((path) => path.toLowerCase().includes(message.typed.toLowerCase())), all: true }),
  clear: ({ host, message, done }) => {
    host.emit(message.conversation, { kind: 'cleared' });
    done();
  },
  delete: ({ host, message, done }) => {
    host.conversations.delete(message.conversation);
    host.tell([{ op: 'conversation_removed', id: message.conversation }]);
    done();
  },
  revoke: ({ host, message, done }) => {
    host.rules.delete(message.rule);
    host.tell([{ op: 'rule_removed', id: message.rule }]);
    done();
  },
};

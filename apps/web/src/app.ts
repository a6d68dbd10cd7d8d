// SPDX-License-Identifier: Apache-2.0
// The page: its store, navigation, drafts and outbox, and the person's actions on conversations. The host owns all other state.

import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { Answers } from './answers';
import { filesAgain, type Attached, type NamedBlob } from './attachments';
import { Drafts } from './drafts/drafts';
import { Mentions } from './drafts/mentions';
import { promptContext } from './editor/prompt_context';
import { Finder } from './finder';
import type { Host } from './host';
import { Announced, Notices } from './notices';
import type { Access, Conversation, Mode } from './protocol';
import type { PageRequest } from './requests';
import { LiveStore } from './state/live_store';
import { Navigation } from './state/navigation';
import { Outbox, type Outgoing } from './state/outbox';
import { t } from './strings';
import type { Transcript, UserItem } from './transcript_items';

const OPEN_LIMIT = 2000; // events asked for at first; older ones on demand
const KEPT_TRANSCRIPTS = 6; // conversations whose transcripts stay in memory after a person leaves

export interface NewConversation {
  agent: string;
  folder: string;
  folders?: string[];
  mode: Mode;
  model?: string;
}

export type Question = 'rename' | 'clear' | 'delete';
/** An action on a conversation with this title, and its reversal. */
export interface Undoable {
  title: string;
  undo: () => void;
}

interface Saved {
  tab: string;
  current: string;
  drafts: Record<string, string>;
}

type Said = Pick<UserItem, 'text' | 'attachments'>;

export class App {
  readonly now = signal(Date.now());
  readonly notice = signal('');
  readonly notBegun = signal(''); // why the conversation of the form could not be begun
  readonly spoken = signal(''); // for screen readers, at the next pause
  readonly spokenNow = signal(''); // for screen readers, at once
  readonly asking = signal<'' | Question>(''); // the open question about the conversation in view
  readonly undoable = signal<Undoable | undefined>(undefined); // the last action, while its undo is offered
  readonly withContext = signal(true); // the next message carries the context of the editor

  readonly store: LiveStore;
  readonly navigation: Navigation;
  readonly drafts: Drafts;
  readonly outbox: Outbox;
  readonly answers: Answers;
  readonly finder: Finder;
  readonly notices = new Notices();
  readonly mentions = new Mentions();

  readonly conversation: ReadonlySignal<Conversation | undefined> = computed(
    () => this.state.value.conversations[this.navigation.current.value],
  );
  readonly transcript: ReadonlySignal<Transcript | undefined> = computed(
    () => this.state.value.opened[this.navigation.current.value]?.transcript,
  );
  /** Waiting requests of the current conversation. */
  readonly waitingHere = computed(() =>
    this.waiting.value.filter((ask) => ask.conversation === this.navigation.current.value),
  );
  readonly asks = computed(() => this.state.value.asks);

  readonly #announced = new Announced(
    () => this.waiting.peek(),
    (said, newest) => {
      this.spokenNow.value = said;
      this.notices.tell(t.waiting_for_you, said, newest.id, () => this.navigation.revealAsk(newest.id));
    },
  );
  #recent: string[] = []; // opened conversations, the latest last
  readonly #first = new Map<number, string>(); // messages for conversations that the host has not begun
  #firsts = 0;

  constructor(readonly host: Host) {
    const saved = (host.getState() ?? {}) as Partial<Saved>;
    const tab = saved.tab ?? Math.random().toString(36).slice(2);
    this.store = new LiveStore(host, {
      changing: () => this.#changing(),
      synced: () => this.#synced(),
      wanted: () => [...Object.keys(this.state.peek().opened), ...this.navigation.wanted()],
      folded: (state) => this.answers.forgetSettled(state.asks),
      failed: (error) => this.#fail(error),
      stale: (conversation) => {
        if (conversation === this.navigation.current.peek()) this.#open(conversation);
      },
    });
    this.answers = new Answers(this.ask);
    this.finder = new Finder(this.ask);
    this.drafts = new Drafts(saved.drafts, tab, () => this.#save(tab));
    this.outbox = new Outbox(this.store, this.drafts.files);
    this.navigation = new Navigation(this.store, this.notice, {
      opened: (conversation) => this.#opened(conversation),
      left: (conversation) => this.#left(conversation),
      changed: () => this.drafts.save(),
    });
    this.navigation.current.value = saved.current ?? '';
    setInterval(() => {
      if (!document.hidden) this.now.value = Date.now();
    }, 1000);
    document.addEventListener('visibilitychange', () => {
      this.now.value = Date.now();
    });
  }

  get state() {
    return this.store.state;
  }
  get waiting() {
    return this.store.waiting;
  }
  get online() {
    return this.store.online;
  }
  get ask() {
    return this.store.ask;
  }

  // ---- messages of the host ---------------------------------------------------------------------------------------

  #changing(): () => void {
    const waited = new Set(this.waiting.peek().map((ask) => ask.id));
    const ran = this.transcript.peek()?.turn?.running ?? false;
    return () => {
      this.#announced.add(this.waiting.peek().filter((ask) => !waited.has(ask.id) && ask.state === 'open'));
      if (ran && this.transcript.peek()?.turn?.running === false) this.spoken.value = t.turn_done;
    };
  }

  #synced(): void {
    this.answers.forget(); // the snapshot contains the accepted answers
    const { conversations, opened } = this.state.peek();
    const { current } = this.navigation;
    if (current.peek() && !conversations[current.peek()]) current.value = '';
    if (this.navigation.unguided && !current.peek()) {
      const latest = Object.values(conversations).sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1))[0];
      if (latest && !this.drafts.texts['']) current.value = latest.id;
    }
    this.navigation.unguided = false;
    const now = current.peek();
    if (now && !opened[now]) this.#open(now);
    this.navigation.synced();
  }

  #fail(error: Error): void {
    this.notice.value = t.request_failed(error.message);
  }

  // ---- conversations ----------------------------------------------------------------------------------------------

  #open(conversation: string): void {
    this.store.act({ type: 'opening', conversation });
    const after = this.state.peek().opened[conversation]?.transcript.lastSeq ?? 0;
    this.store.request(
      { type: 'open', conversation, after, limit: OPEN_LIMIT },
      ({ events }) => {
        this.store.act({ type: 'opened', conversation, events });
        this.outbox.reconcile(conversation);
      },
      (error) => {
        if (error.code !== 'disconnected' && error.code !== 'cancelled') this.#fail(error);
      },
    ); // cancelled: closed or opened again
  }
  #opened(conversation: string): void {
    this.#recent = [...this.#recent.filter((id) => id !== conversation), conversation];
    for (const old of this.#recent.splice(0, Math.max(0, this.#recent.length - KEPT_TRANSCRIPTS)))
      this.store.act({ type: 'closed', conversation: old });
    if (this.online.peek()) this.#open(conversation);
  }
  #left(conversation: string): void {
    if (!this.state.peek().opened[conversation]) return;
    this.store.act({ type: 'opening', conversation }); // no longer live: requested again on the next view
    if (this.online.peek())
      this.store.request(
        { type: 'close', conversation },
        () => {},
        () => {},
      );
  }

  older(done: () => void): void {
    const conversation = this.navigation.current.peek();
    const before = this.transcript.peek()?.firstSeq ?? 1;
    if (before <= 1) {
      done();
      return;
    }
    this.store.request(
      { type: 'older', conversation, before, limit: OPEN_LIMIT },
      ({ events }) => {
        this.store.act({ type: 'older', conversation, events });
        done();
      },
      (error) => {
        this.#fail(error);
        done();
      },
    );
  }
  set(changes: {
    title?: string;
    mode?: Mode;
    model?: string;
    think?: boolean;
    archived?: boolean;
    access?: Access;
  }): void {
    this.tell({ type: 'set', conversation: this.navigation.current.peek(), ...changes });
  }
  /** Moves a conversation to the archive, or back. An archived conversation comes back by the offered undo. */
  archive({ id: conversation, title }: Conversation, archived: boolean): void {
    const set = (value: boolean) => {
      this.undoable.value = undefined;
      this.tell({ type: 'set', conversation, archived: value });
    };
    set(archived);
    if (archived) this.undoable.value = { title, undo: () => set(false) };
  }
  remove(conversation: string): void {
    this.store.request({ type: 'delete', conversation }, () => {
      this.drafts.remove(conversation);
      if (this.navigation.current.peek() === conversation) this.navigation.select('');
    });
  }
  revoke(rule: string): void {
    this.tell({ type: 'revoke', rule });
  }

  /** Opens a new conversation, even before the host's notification. */
  begun(made: Conversation): void {
    this.state.value = { ...this.state.peek(), conversations: { [made.id]: made, ...this.state.peek().conversations } };
    this.navigation.select(made.id);
  }

  // ---- prompts ----------------------------------------------------------------------------------------------------

  /** Sends a prompt with the files of its draft; the form for a new conversation creates the conversation first. */
  send(text: string, begin?: NewConversation): void {
    const conversation = this.navigation.current.peek();
    if (!conversation && !begin) return;
    this.notice.value = this.notBegun.value = ''; // the cause has been removed, or the action is tried again
    const drafted = this.drafts.files;
    if (conversation) {
      this.#prompt(conversation, text, drafted.of(conversation)); // the prompt holds the files before the draft drops them
      drafted.put(conversation, []);
      return;
    }
    const files = drafted.take(conversation);
    const number = -++this.#firsts; // the outbox numbers upwards
    this.#first.set(number, text);
    drafted.hold(number, conversation, files);
    const settled = () => {
      this.#first.delete(number);
      drafted.letGo(number);
    };
    this.store.request(
      { type: 'new', ...begin! },
      ({ conversation: made }) => {
        settled();
        this.begun(made);
        this.#prompt(made.id, text, files);
      },
      (error) => {
        settled();
        this.restore(text, files, conversation);
        this.notBegun.value = t.request_failed(error.message);
      },
    );
  }
  #prompt(conversation: string, text: string, files: readonly Attached[]): void {
    const lookedAt = this.host.editor && this.withContext.peek() ? promptContext(this.host.editor.context.peek()) : [];
    const context = [
      ...lookedAt,
      ...this.mentions.in(text, this.state.peek().conversations[conversation]?.folder ?? ''),
    ];
    this.withContext.value = true;
    this.outbox.send(conversation, text, files, context);
  }
  sendAgain(outgoing: Outgoing): void {
    this.#prompt(outgoing.conversation, outgoing.text, outgoing.files);
    this.outbox.discard(outgoing.id);
  }

  /** Returns a text and its files to the draft of a conversation. */
  restore(text: string, files: readonly Attached[], key = this.navigation.current.peek()): void {
    this.drafts.restore(key, text, files);
  }

  retry(): void {
    const last = this.transcript.peek()?.lastPrompt;
    const conversation = this.navigation.current.peek();
    if (last) this.#again(last, (files) => this.#prompt(conversation, last.text, files));
  }
  /** Returns a sent message to the draft, for changes and another send. */
  edit(said: Said): void {
    const conversation = this.navigation.current.peek();
    this.#again(said, (files) => this.restore(said.text, files, conversation));
  }
  #again(said: Said, go: (files: readonly Attached[]) => void): void {
    const kept = said.attachments.filter((attachment) => attachment.url === undefined);
    if (kept.length === 0) go([]);
    else void filesAgain(this.host, kept).then(go, (error: Error) => this.#fail(error));
  }

  stop(): void {
    const conversation = this.conversation.peek();
    if (conversation && conversation.state !== 'idle') this.tell({ type: 'stop', conversation: conversation.id });
  }
  /** For requests whose only answer is success or an error. */
  tell(request: PageRequest): void {
    this.store.request(request, () => {});
  }

  attach(files: readonly NamedBlob[]): void {
    if (files.length === 0) return;
    void this.drafts.files.add(this.navigation.current.peek(), files, this.state.peek().attachmentLimits).then(() => {
      this.spoken.value = t.added_files(files.length);
    });
  }

  #save(tab: string): void {
    // Unconfirmed messages are part of the draft after a reload: better twice than lost.
    const drafts = { ...this.drafts.texts };
    const keep = (key: string, text: string) => (drafts[key] = [text, drafts[key]].filter(Boolean).join('\n'));
    for (const prompt of this.outbox.prompts.peek()) keep(prompt.conversation, prompt.text);
    for (const text of this.#first.values()) keep('', text);
    this.host.setState({ tab, current: this.navigation.current.peek(), drafts } satisfies Saved);
  }
}

// SPDX-License-Identifier: Apache-2.0
// The page's actions and the little state that is the page's own: what is looked at, drafts, what is on its way to the host.
// Everything else is the host's and lives in `store.ts`.

import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import { Answers } from './answers';
import { files_again, to_wire, type Attached, type NamedBlob } from './attachments';
import { DraftFiles } from './drafts/draft_files';
import { Finder } from './finder';
import type { Host } from './host';
import { Memories } from './memories';
import { Mentions } from './drafts/mentions';
import { Announced, Notices } from './notices';
import { Places, type View } from './places';
import type { Access, Ask, AttachedFile, AttachmentInfo, Conversation, HostMessage, Mode, RequestValues } from './protocol';
import { prompt_context } from './editor/prompt_context';
import { RequestError, type Ask as AskHost, type PageRequest, type Pending, type RequestOf, type RequestType } from './requests';
import { shrink } from './shrink';
import { fold, nothing, waiting, type Action, type Effect, type Link, type State } from './store';
import { t } from './strings';
import type { Transcript, UserItem } from './transcript';
import { unknown_variant } from './unknown';

const OPEN_LIMIT = 2000;              // events asked for at first; older ones on demand
const KEPT_TRANSCRIPTS = 6;           // conversations whose transcript stays in memory after leaving them
const HIDDEN_FLUSH_MS = 250;          // a hidden page gets no animation frames
const SAVE_MS = 300;                  // drafts are saved this long after the last key

/** A prompt that left, or tried to, and is not part of the transcript yet. */
export interface Outgoing { id: number; conversation: string; text: string; files: readonly Attached[]; state: 'sending' | 'unsure' | 'unsent'; after: number; why: string }
export interface NewConversation { agent: string; folder: string; folders?: string[]; mode: Mode; model?: string }

interface Saved { tab: string; current: string; drafts: Record<string, string> }

type Said = Pick<UserItem, 'text' | 'attachments'>;

export class App {
  readonly state = signal<State>(nothing);
  readonly current = signal('');                    // a conversation, or '' for the form that begins one
  readonly now = signal(Date.now());
  readonly outbox = signal<readonly Outgoing[]>([]);
  readonly notice = signal('');
  readonly not_begun = signal('');                  // why the conversation of the form could not be begun
  readonly spoken = signal('');                     // for screen readers, at the next pause
  readonly spoken_now = signal('');                 // for screen readers, at once
  readonly reveal = signal('');                     // an ask to scroll to and focus
  readonly sidebar_shown = signal(false);           // on narrow screens
  readonly details_shown = signal(false);           // on narrow screens
  readonly view = signal<View>('conversation');
  readonly database = signal('');                   // the path of one that is to be shown
  readonly with_context = signal(true);              // what is looked at in the editor goes along with the next message
  readonly sought = signal<{ conversation: string; event: number } | undefined>(undefined);  // a message to scroll to
  readonly ask: AskHost = (request, done, failed) => this.request(request, done, failed);
  readonly answers = new Answers(this.ask);
  readonly finder = new Finder(this.ask);
  readonly notices = new Notices();
  readonly places = new Places(this);
  readonly mentions = new Mentions();
  readonly memories = new Memories(this.ask, () => { this.spoken.value = t.forgotten; });
  readonly drafts: Record<string, string>;
  readonly files: DraftFiles;                       // of the drafts

  readonly conversation: ReadonlySignal<Conversation | undefined> = computed(() => this.state.value.conversations[this.current.value]);
  readonly transcript: ReadonlySignal<Transcript | undefined> = computed(() => this.state.value.opened[this.current.value]?.transcript);
  readonly asks = computed(() => this.state.value.asks);
  readonly waiting: ReadonlySignal<Ask[]> = computed(() => waiting(this.state.value));
  readonly online: ReadonlySignal<boolean> = computed(() => this.state.value.synced);

  private readonly announced = new Announced(() => this.waiting.peek(), (said, newest) => {
    this.spoken_now.value = said;
    this.notices.tell(t.waiting_for_you, said, newest.id, () => this.places.reveal(newest.id));
  });
  private inbox: HostMessage[] = [];
  private scheduled = false;
  private readonly pending = new Map<string, Pending>();
  private last_request = 0;
  private last_outgoing = 0;
  private recent: string[] = [];                    // opened conversations, the latest last
  private save_timer: ReturnType<typeof setTimeout> | undefined;
  private encoding: Promise<void> | undefined;      // prompts whose files are being read: later ones wait, so that the order holds
  private readonly tab: string;                     // names this tab, also after a reload
  private unguided = true;                          // nobody has chosen a conversation yet: the first snapshot may

  constructor(readonly host: Host) {
    const saved = (host.getState() ?? {}) as Partial<Saved>;
    this.drafts = { ...saved.drafts };
    this.current.value = saved.current ?? '';
    this.tab = saved.tab ?? Math.random().toString(36).slice(2);
    this.files = new DraftFiles(this.tab, shrink);
    host.onMessage((message) => { this.inbox.push(message); this.schedule(); });
    host.onLink((link) => this.linked(link));
    setInterval(() => { if (!document.hidden) this.now.value = Date.now(); }, 1000);
    document.addEventListener('visibilitychange', () => { this.now.value = Date.now(); this.flush(); });  // a frame that is due comes only when one looks again
    addEventListener('pagehide', () => this.save());
  }

  // ---- what the host says -----------------------------------------------------------------------------------------

  private linked(link: Link): void {
    this.flush();                                   // what came before belongs to the old connection
    this.act({ type: 'link', link });
    if (link.state === 'online') {
      this.host.post({ type: 'ready' });
      return;
    }
    const lost = [...this.pending.values()];
    this.pending.clear();
    for (const one of lost) one.failed(new RequestError('disconnected', t.lost('')));
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    if (document.hidden) setTimeout(() => this.flush(), HIDDEN_FLUSH_MS);
    else requestAnimationFrame(() => this.flush());
  }

  /** All that came since the last frame, as one change of the page. */
  private flush(): void {
    this.scheduled = false;
    const messages = this.inbox;
    if (messages.length === 0) return;
    this.inbox = [];
    const waited = new Set(this.waiting.peek().map((ask) => ask.id));
    const ran = this.transcript.peek()?.turn?.running ?? false;
    batch(() => { for (const message of messages) this.handle(message); });
    this.announced.add(this.waiting.peek().filter((ask) => !waited.has(ask.id) && ask.state === 'open'));
    if (ran && this.transcript.peek()?.turn?.running === false) this.spoken.value = t.turn_done;
  }

  private handle(message: HostMessage): void {
    switch (message.type) {
      case 'snapshot':
        this.act({ type: 'host', message });
        this.synced();
        break;
      case 'delta': this.act({ type: 'host', message }); break;
      case 'done': this.take(message.request)?.done(message.value); break;
      case 'failed': this.take(message.request)?.failed(new RequestError(message.code, message.message)); break;
      default: unknown_variant('message', message);
    }
  }

  private act(action: Action): void {
    const { state, effects } = fold(this.state.peek(), action);
    this.state.value = state;
    for (const effect of effects) this.need(effect);
    this.answers.forget_settled(state.asks);
  }

  private need(effect: Effect): void {
    if (effect.need === 'snapshot') this.host.post({ type: 'ready' });
    else if (effect.conversation === this.current.peek()) this.open(effect.conversation);
  }

  private synced(): void {
    this.answers.forget();                          // the snapshot knows which answers counted
    const { conversations, opened } = this.state.peek();
    const current = this.current.peek();
    if (current && !conversations[current]) this.current.value = '';
    if (this.unguided && !this.current.peek()) {
      const latest = Object.values(conversations).sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1))[0];
      if (latest && !this.drafts['']) this.current.value = latest.id;
    }
    this.unguided = false;
    const now = this.current.peek();
    if (now && !opened[now]) this.open(now);
    if (this.view.peek() === 'memory') this.memories.load();
    this.places.synced();
  }

  // ---- requests ---------------------------------------------------------------------------------------------------

  private take(request: string): Pending | undefined {
    const pending = this.pending.get(request);
    this.pending.delete(request);
    return pending;
  }

  /** Settles in the order of the host's messages, so an answer and the deltas around it keep their order. */
  private request<T extends RequestType>(request: RequestOf<T>, done: (value: RequestValues[T]) => void, failed: (error: RequestError) => void = (e) => this.fail(e)): void {
    // The one place where the host's word is taken for it that the value is the one of this request.
    this.post(request, (value) => done(value as RequestValues[T]), failed);
  }

  private post(request: PageRequest, done: (value: unknown) => void, failed: (error: RequestError) => void): void {
    const id = String(++this.last_request);
    this.pending.set(id, { done, failed });
    if (this.host.post({ ...request, request: id })) return;
    this.pending.delete(id);
    failed(new RequestError('disconnected', t.offline));
  }

  private fail(error: Error): void {
    this.notice.value = t.request_failed(error.message);
  }

  private open(conversation: string): void {
    this.act({ type: 'opening', conversation });
    const after = this.state.peek().opened[conversation]?.transcript.last_seq ?? 0;
    this.request({ type: 'open', conversation, after, limit: OPEN_LIMIT }, ({ events }) => {
      this.act({ type: 'opened', conversation, events });
      this.reconcile(conversation);
    }, (error) => { if (error.code !== 'disconnected' && error.code !== 'cancelled') this.fail(error); });  // cancelled: closed or opened again
  }

  // ---- conversations ----------------------------------------------------------------------------------------------

  select(conversation: string): void {
    const before = this.current.peek();
    this.unguided = false;
    this.view.value = 'conversation';
    if (before === conversation) { this.sidebar_shown.value = false; return; }
    batch(() => {
      this.current.value = conversation;
      this.sidebar_shown.value = false;
      this.notice.value = '';
    });
    this.save();                                    // a webview that is hidden next has no time for it
    if (before && this.state.peek().opened[before]) {
      this.act({ type: 'opening', conversation: before });  // no longer live: asked for again when it is looked at
      if (this.online.peek()) this.request({ type: 'close', conversation: before }, () => {}, () => {});
    }
    if (!conversation) return;
    this.recent = [...this.recent.filter((id) => id !== conversation), conversation];
    for (const old of this.recent.splice(0, Math.max(0, this.recent.length - KEPT_TRANSCRIPTS))) this.act({ type: 'closed', conversation: old });
    if (this.online.peek()) this.open(conversation);
  }

  show(view: View): void {
    batch(() => {
      this.unguided = false;
      this.view.value = view;
      this.sidebar_shown.value = false;
    });
    if (view === 'memory') this.memories.load();
  }

  /** Goes to a message of a conversation. */
  seek(conversation: string, event: number): void {
    this.select(conversation);
    if (event > 0) this.sought.value = { conversation, event };
  }

  older(done: () => void): void {
    const conversation = this.current.peek();
    const before = this.transcript.peek()?.first_seq ?? 1;
    if (before <= 1) { done(); return; }
    this.request({ type: 'older', conversation, before, limit: OPEN_LIMIT }, ({ events }) => {
      this.act({ type: 'older', conversation, events });
      done();
    }, (error) => { this.fail(error); done(); });
  }
  set(changes: { title?: string; mode?: Mode; model?: string; think?: boolean; archived?: boolean; access?: Access }): void {
    this.request({ type: 'set', conversation: this.current.peek(), ...changes }, () => {});
  }
  remove(conversation: string): void {
    this.request({ type: 'delete', conversation }, () => {
      delete this.drafts[conversation];
      this.files.put(conversation, []);
      if (this.current.peek() === conversation) this.select('');
    });
  }
  revoke(rule: string): void { this.request({ type: 'revoke', rule }, () => {}); }

  /** A conversation that was just made is looked at, also before the host has told of it. */
  begun(made: Conversation): void {
    this.state.value = { ...this.state.peek(), conversations: { [made.id]: made, ...this.state.peek().conversations } };
    this.select(made.id);
  }

  // ---- prompts ----------------------------------------------------------------------------------------------------

  /** Sends a prompt with the files of its draft; in the form for a new conversation it begins one first. */
  send(text: string, begin?: NewConversation): void {
    const conversation = this.current.peek();
    if (!conversation && !begin) return;
    this.notice.value = this.not_begun.value = '';  // what it was about has been mended, or is tried again
    if (conversation) {
      const files = this.files.of(conversation);
      this.prompt(conversation, text, files);       // which keeps them, so that at no moment they are nowhere
      this.files.put(conversation, []);
      return;
    }
    const files = this.files.take(conversation);
    this.request({ type: 'new', ...begin! }, ({ conversation: made }) => {
      this.begun(made);
      this.prompt(made.id, text, files);
    }, (error) => { this.restore(text, files); this.not_begun.value = t.request_failed(error.message); });
  }
  private prompt(conversation: string, text: string, files: readonly Attached[]): void {
    const id = ++this.last_outgoing;
    const { opened, conversations } = this.state.peek();
    const after = opened[conversation]?.transcript.last_seq ?? 0;
    const looked_at = this.host.editor && this.with_context.peek() ? prompt_context(this.host.editor.context.peek()) : [];
    const context = [...looked_at, ...this.mentions.in(text, conversations[conversation]?.folder ?? '')];
    this.with_context.value = true;
    this.outbox.value = [...this.outbox.peek(), { id, conversation, text, files, state: 'sending', after, why: '' }];
    this.files.hold(id, conversation, files);
    const become = (state: Outgoing['state'], why: string) => {
      this.outbox.value = this.outbox.peek().map((one) => (one.id === id ? { ...one, state, why } : one));
    };
    const post = (attachments: AttachedFile[]) => {
      this.request({ type: 'prompt', conversation, text, ...(attachments.length > 0 && { attachments }), ...(context.length > 0 && { context }) }, () => this.discard(id), (error) => {
        if (error.code === 'disconnected') become('unsure', t.not_sent);
        else become('unsent', error.message);
      });
    };
    if (files.length === 0 && !this.encoding) { post([]); return; }
    const encoding = (this.encoding ?? Promise.resolve()).then(() => to_wire(files)).then(post, (error: Error) => become('unsent', error.message))
      .finally(() => { if (this.encoding === encoding) this.encoding = undefined; });
    this.encoding = encoding;
  }

  discard(id: number): void {
    this.files.let_go(id);
    this.outbox.value = this.outbox.peek().filter((one) => one.id !== id);
  }
  send_again(one: Outgoing): void {
    this.prompt(one.conversation, one.text, one.files);
    this.discard(one.id);
  }

  /** Puts a text and its files back where they can be edited, in front of what was typed and attached since. */
  restore(text: string, files: readonly Attached[]): void {
    const key = this.current.peek();
    const typed = this.drafts[key] ?? '';
    this.draft(key, typed ? `${text}\n${typed}` : text);
    this.files.put(key, [...files, ...this.files.of(key)]);
    this.draft_changed.value++;
  }
  readonly draft_changed = signal(0);               // a draft was changed by something else than typing

  /** After a reconnect: whether a prompt that left just before the cut had arrived. */
  private reconcile(conversation: string): void {
    const log = this.state.peek().opened[conversation]?.transcript.log ?? [];
    const queued = this.state.peek().conversations[conversation]?.queued ?? [];
    const same = (one: Outgoing, told: { text: string; attachments?: readonly AttachmentInfo[] }) => told.text === one.text
      && (told.attachments ?? []).map((file) => file.name).join('/') === one.files.map((file) => file.name).join('/');
    const arrived = (one: Outgoing) => queued.some((told) => same(one, told))
      || log.some((event) => event.kind === 'user_message' && event.seq > one.after && same(one, event));
    const list = this.outbox.peek();
    if (!list.some((one) => one.conversation === conversation && one.state === 'unsure')) return;
    this.outbox.value = list
      .filter((one) => {
        const done = one.conversation === conversation && one.state === 'unsure' && arrived(one);
        if (done) this.files.let_go(one.id);
        return !done;
      })
      .map((one) => (one.conversation === conversation && one.state === 'unsure' ? { ...one, state: 'unsent' as const } : one));
  }

  retry(): void {
    const last = this.transcript.peek()?.last_prompt;
    const conversation = this.current.peek();
    if (last) this.again(last, (files) => this.prompt(conversation, last.text, files));
  }
  /** Takes a message that was sent back to the draft, to be changed and sent once more. */
  edit(said: Said): void { this.again(said, (files) => this.restore(said.text, files)); }
  private again(said: Said, go: (files: readonly Attached[]) => void): void {
    const kept = said.attachments.filter((one) => one.url === undefined);
    if (kept.length === 0) go([]);
    else void files_again(this.host, kept).then(go, (error: Error) => this.fail(error));
  }

  stop(): void {
    const conversation = this.conversation.peek();
    if (conversation && conversation.state !== 'idle') this.request({ type: 'stop', conversation: conversation.id }, () => {});
  }
  /** What has no answer but that it is done, or why not. */
  tell(request: PageRequest): void { this.request(request, () => {}); }

  // ---- drafts -----------------------------------------------------------------------------------------------------

  attach(files: readonly NamedBlob[]): void {
    if (files.length === 0) return;
    void this.files.add(this.current.peek(), files, this.state.peek().attachment_limits).then(() => { this.spoken.value = t.added_files(files.length); });
  }

  draft(key: string, text: string): void {
    if (text) this.drafts[key] = text;
    else delete this.drafts[key];
    this.save_soon();
  }

  private save_soon(): void {
    clearTimeout(this.save_timer);
    this.save_timer = setTimeout(() => this.save(), SAVE_MS);
  }

  private save(): void {
    clearTimeout(this.save_timer);
    // What has not got through yet is part of its draft when the page comes back: better there twice than nowhere.
    const drafts = { ...this.drafts };
    for (const one of this.outbox.peek()) drafts[one.conversation] = [one.text, drafts[one.conversation]].filter(Boolean).join('\n');
    this.host.setState({ tab: this.tab, current: this.current.peek(), drafts } satisfies Saved);
  }
}

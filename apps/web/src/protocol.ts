// SPDX-License-Identifier: Apache-2.0
// What the page and its host say to each other: JSON objects, one a WebSocket text frame.
//
// Printed from the tables of the host (protocol/page/messages.h, store/hub/event_tables.h) by `parlance describe page --form typescript`;
// do not edit by hand: `scripts/describe.sh` writes it anew.
//
// The host keeps all state. After `ready` it sends one `snapshot`; from then on every change is a `delta` whose `seq` counts up by
// one per connection. A gap means that something was lost: send `ready` again and start from the new snapshot. The transcript of a
// conversation is a fold over its events, which are numbered by `seq` inside the conversation, never change once written, and can be
// asked for from any cursor on. A newer host may send kinds that are not here: they are passed over (unknown.ts).

export interface Ready {
  type: 'ready';
}

export interface OpenConversation {
  type: 'open';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
  /** Number of the last event that the page knows; 0: none. */
  after: number;
  /** At most this number, the newest; default 2000, at most 20000, and 4 MiB together. */
  limit?: number;
}

export interface OlderEvents {
  type: 'older';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
  /** Number of the first event that the page knows. */
  before: number;
  /** At most this number, the newest; default 2000, at most 20000, and 4 MiB together. */
  limit?: number;
}

export interface CloseConversation {
  type: 'close';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
}

export interface NewConversation {
  type: 'new';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Id of the agent. */
  agent: string;
  /** Absolute path, or one below the home folder that begins with ~. */
  folder: string;
  /** More folders that count as inside, written in the same way. */
  folders?: string[];
  /** What the agent may do without asking; absent: default. */
  mode?: Mode;
  /** Absent or empty: the agent's default. */
  model?: string;
  /** The model thinks before it answers. */
  think?: boolean;
}

export type Mode = 'default' | 'autoEdit' | 'yolo' | 'plan' | 'smart';

export interface Prompt {
  type: 'prompt';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
  /** What the person wrote; may be empty beside attachments. */
  text: string;
  /** What comes with it, within `attachment_limits`. */
  attachments?: AttachedFile[];
  /** What the person looks at in an editor: the agent is told of it beside the words. */
  context?: PromptContext[];
}

export interface AttachedFile {
  /** For people; may be empty. */
  name: string;
  /** image/png, … */
  media_type: string;
  /** Its bytes. (base64) */
  data: string;
}

export interface PromptContext {
  /** A file that the person looks at. */
  path: string;
  /** What is selected there. */
  range?: LineRange;
  /** The text of the range. */
  text?: string;
}

export interface LineRange {
  /** The first line, from 1. */
  first: number;
  /** The last line; it is part of the range. */
  last: number;
}

export interface Withdraw {
  type: 'withdraw';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
  /** Id of the prompt that waits. */
  queued: string;
}

export interface Stop {
  type: 'stop';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
}

export interface GoOn {
  type: 'go_on';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Whose queue was held back after a stop, an error or a restart. */
  conversation: string;
}

export interface RestartAgent {
  type: 'restart';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Whose agent died: it is started again, with its session. The log says so. */
  conversation: string;
}

export interface LookForAgents {
  type: 'look_for_agents';
  /** As above. Programs of agents may have been installed, moved or removed: what is found is told as `agent` messages. */
  request: string;
}

export interface Answer {
  type: 'answer';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Id of the ask. */
  ask: string;
  /** Of what was shown: the answer counts for exactly that. */
  digest: string;
  /** Id of the chosen option. */
  option?: string;
  /** Feedback or a note. */
  text?: string;
  /** To questions: one list each, in their order. */
  answers?: string[][];
  /** What the person made of the ask's `editable` part, with an option that allows: this is done instead. */
  edited?: string;
}

export interface Reask {
  type: 'reask';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Id of an orphaned ask. */
  ask: string;
}

export interface SetConversation {
  type: 'set';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
  /** A new title. */
  title?: string;
  /** From now on. */
  mode?: Mode;
  /** From the next turn on. */
  model?: string;
  /** From the next turn on. */
  think?: boolean;
  /** Put away, or back again. */
  archived?: boolean;
  /** What others of the team may do with it from now on. */
  access?: Access;
}

export type Access = 'private' | 'view' | 'team';

export interface SetOption {
  type: 'set_option';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
  /** Id of one of its agent's options. */
  option: string;
  /** One of its values; of a boolean true or false. From the next turn on at the latest. */
  value: string;
}

export interface ClearConversation {
  type: 'clear';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** What was said in it is hidden, and its agent begins anew; `delete` really deletes. */
  conversation: string;
}

export interface DeleteConversation {
  type: 'delete';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
}

export interface RevokeRule {
  type: 'revoke';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Id of the rule. */
  rule: string;
}

export interface Search {
  type: 'search';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Looked for in what person and agents wrote; not in titles, which the page has. */
  words: string;
}

export interface KeptSessions {
  type: 'sessions';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Id of the agent. */
  agent: string;
  /** Whose: an absolute path, or one below the home folder that begins with ~. */
  folder: string;
}

export interface AdoptSession {
  type: 'adopt';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Id of the agent. */
  agent: string;
  /** Absolute path, or one below the home folder that begins with ~. */
  folder: string;
  /** The agent's name for it: a conversation goes on with it, with all that was said there. */
  session: string;
}

export interface FindFiles {
  type: 'files';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Where to look: an absolute path, or one below the home folder that begins with ~. */
  folder: string;
  /** Its characters in their order, anywhere in the path; empty: any file. */
  typed: string;
  /** Further ones, whose files are told by their whole paths. */
  folders?: string[];
  /** Patterns of what is left out, as an editor's settings have them, beside what a .gitignore names. */
  excluded?: string[];
  /** In which somebody writes: of one on a runner's machine its own folders there are looked through, whatever is named here. */
  conversation?: string;
  /** Where none has begun yet: who would work there, on a runner's machine perhaps. */
  agent?: string;
}

export interface SearchMemories {
  type: 'memory_search';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** What to look for, by meaning and by words. */
  query: string;
  /** Only these; absent: all. */
  category?: Category;
}

export type Category = 'preference' | 'decision' | 'fact' | 'entity' | 'other';

export interface ListMemories {
  type: 'memory_list';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Only these; absent: all. */
  category?: Category;
  /** Only what was remembered in this one; absent: all. */
  conversation?: string;
  /** `next` of the page before; absent: from the newest. */
  before?: string;
  /** At most so many. */
  limit?: number;
}

export interface ForgetMemory {
  type: 'memory_forget';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Of the memory; it is gone for good. */
  id: string;
}

export interface GetUsage {
  type: 'usage';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** A day, 2026-03-09; absent: from the beginning. */
  since?: string;
}

export interface SetLimits {
  type: 'set_limits';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Read and written by all models in a day; absent: no limit. */
  day_tokens?: number;
  /** What they cost in a day; only this currency counts. */
  day_cost?: Money;
  /** Of one conversation, from its beginning. */
  conversation_tokens?: number;
  /** The same as money. */
  conversation_cost?: Money;
}

export interface Money {
  /** Above 0. */
  amount: number;
  /** ISO 4217: USD, … */
  currency: string;
}

export interface GetPush {
  type: 'push';
  /** The page's name for this request; the answer carries it. */
  request: string;
}

export interface PushSubscribe {
  type: 'push_subscribe';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Of a push service that is on the host's list. */
  endpoint: string;
  /** The browser's key: base64url of 65 bytes. */
  p256dh: string;
  /** Its secret: base64url of 16 bytes. */
  auth: string;
  /** For people; may be empty. */
  name: string;
}

export interface PushRemove {
  type: 'push_remove';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** Of the browser; one that is gone is no error. */
  id: string;
}

export interface Looking {
  type: 'looking';
  /** The page's name for this request; the answer carries it. */
  request: string;
  /** The page is seen and has the keyboard: nobody need be told elsewhere. */
  looking: boolean;
}

/** Every message but `ready` carries a `request` and is answered by one `done` or `failed`. */
export type PageMessage =
  | Ready
  | OpenConversation
  | OlderEvents
  | CloseConversation
  | NewConversation
  | Prompt
  | Withdraw
  | Stop
  | GoOn
  | RestartAgent
  | LookForAgents
  | Answer
  | Reask
  | SetConversation
  | SetOption
  | ClearConversation
  | DeleteConversation
  | RevokeRule
  | Search
  | KeptSessions
  | AdoptSession
  | FindFiles
  | SearchMemories
  | ListMemories
  | ForgetMemory
  | GetUsage
  | SetLimits
  | GetPush
  | PushSubscribe
  | PushRemove
  | Looking;

export interface Snapshot {
  type: 'snapshot';
  /** The next delta has the number after it. */
  seq: number;
  /** Of the host. */
  version: string;
  /** What the host can do beyond this contract. */
  capabilities: string[];
  /** The person's home folder. */
  home: string;
  /** Where a new conversation works unless told otherwise. */
  default_folder: string;
  /** What may come with a prompt. */
  attachment_limits: AttachmentLimits;
  /** Who works with the host; absent: one person. */
  team?: Team;
  /** All agents. */
  agents: AgentInfo[];
  /** All services. */
  services: ServiceInfo[];
  /** All conversations, newest change first. */
  conversations: Conversation[];
  /** What waits for a person, oldest first. */
  asks: Ask[];
  /** Standing permissions. */
  rules: Rule[];
}

export interface AttachmentLimits {
  /** With one prompt, at most. */
  files: number;
  /** Of all files of one prompt together, at most. */
  bytes: number;
  /** Of each file of a type image/…, at most. */
  picture_bytes: number;
  /** What agents can be shown that do not say it themselves; text/* is every text. */
  media_types: string[];
}

export interface Team {
  /** Id of the user who looks at this page; empty: the person of the host's machine. */
  user: string;
  /** Theirs: viewer, member or admin. */
  role: string;
  /** All users, by name. */
  people: Person[];
}

export interface Person {
  /** As conversations name it. */
  id: string;
  /** For people. */
  name: string;
}

export interface Delta {
  type: 'delta';
  /** One more than the last; a gap means: send `ready` again. */
  seq: number;
  /** What changed, in order. */
  ops: Op[];
}

export interface Done {
  type: 'done';
  /** The request that this answers. */
  request: string;
  /** What came of it, if there is more to say. */
  value?: unknown;
}

export interface Failed {
  type: 'failed';
  /** The request that this answers; empty when it could not be read. */
  request: string;
  /** For programs: not_found, invalid_params, … */
  code: string;
  /** For people; a malformed message is told with the place of the fault. */
  message: string;
}

export type HostMessage =
  | Snapshot
  | Delta
  | Done
  | Failed;

export interface ConversationOp {
  op: 'conversation';
  /** New or changed. */
  conversation: Conversation;
}

export interface ConversationRemovedOp {
  op: 'conversation_removed';
  /** It is gone, with its events and asks. */
  id: string;
}

export interface EventsOp {
  op: 'events';
  /** One that this page has opened. */
  conversation: string;
  /** In order; the first follows the last that was sent. */
  events: Event[];
}

export interface AskOp {
  op: 'ask';
  /** New or changed, of any conversation. */
  ask: Ask;
}

export interface RuleOp {
  op: 'rule';
  /** New, or it has decided something. */
  rule: Rule;
}

export interface RuleRemovedOp {
  op: 'rule_removed';
  /** It holds no more. */
  id: string;
}

export interface AgentOp {
  op: 'agent';
  /** New or changed. */
  agent: AgentInfo;
}

export interface ServiceOp {
  op: 'service';
  /** New or changed. */
  service: ServiceInfo;
}

/** A change, in a `delta`. */
export type Op =
  | ConversationOp
  | ConversationRemovedOp
  | EventsOp
  | AskOp
  | RuleOp
  | RuleRemovedOp
  | AgentOp
  | ServiceOp;

export interface TurnStartEvent extends EventHead {
  kind: 'turn_start';
  /** Id of the turn. */
  turn: string;
  /** What its face wanted of the agent; absent: nothing special. */
  options?: PromptOptions;
  /** Name of the user who wanted a turn without a message; absent: the person of this machine. */
  by?: string;
}

export interface EventHead {
  /** Number in the conversation, from 1. */
  seq: number;
  /** RFC 3339, UTC. */
  time: string;
}

export interface PromptOptions {
  /** Answers of the model in this turn; absent: the agent's own limit. */
  most_rounds?: number;
  /** In place of the agent's own instructions. */
  system?: string;
  /** Behind them. */
  append_system?: string;
}

export interface UserMessageEvent extends EventHead {
  kind: 'user_message';
  /** The turn it began. */
  turn: string;
  /** What was written. */
  text: string;
  /** What came with it. */
  attachments?: AttachmentInfo[];
  /** What the person looked at in an editor. */
  context?: PromptContext[];
  /** Name of the user who wrote it; absent: the person of this machine. */
  by?: string;
}

export interface AttachmentInfo {
  /** Unique. */
  id: string;
  /** image/png, … */
  media_type: string;
  /** For people; may be empty. */
  name: string;
  /** Its size. */
  bytes: number;
  /** Where it lies, when it was not sent itself. */
  url?: string;
}

export interface TextEvent extends EventHead {
  kind: 'text';
  /** A piece: append to the text before it. */
  text: string;
}

export interface ThinkingStartEvent extends EventHead {
  kind: 'thinking_start';
}

export interface ThinkingContentEvent extends EventHead {
  kind: 'thinking_content';
  /** A piece. */
  text: string;
}

export interface ThinkingEndEvent extends EventHead {
  kind: 'thinking_end';
  /** How long it took. */
  duration_ms: number;
}

export interface ToolStartEvent extends EventHead {
  kind: 'tool_start';
  /** Unique in the conversation's turn. */
  call: string;
  /** Its name. */
  tool: string;
  /** One line. */
  title: string;
  /** Any JSON. */
  input: unknown;
  /** The call of the sub-agent that makes this call. */
  parent?: string;
  /** What it is about; absent: other. */
  call_kind?: CallKind;
  /** Where it reads or changes something. */
  locations?: Location[];
}

export type CallKind = 'read' | 'edit' | 'delete' | 'move' | 'search' | 'execute' | 'think' | 'fetch' | 'switch_mode' | 'other';

export interface Location {
  /** The file. */
  path: string;
  /** From 1; absent: the file as a whole. */
  line?: number;
}

export interface ToolUpdateEvent extends EventHead {
  kind: 'tool_update';
  /** The call; what is absent stays as it was. */
  call: string;
  /** One line. */
  title?: string;
  /** What it is about. */
  call_kind?: CallKind;
  /** How far it is. */
  status?: CallStatus;
  /** Any JSON. */
  input?: unknown;
  /** All of them. */
  locations?: Location[];
  /** All of it: texts, changed files, terminals, pictures. */
  content?: ToolContent[];
}

export type CallStatus = 'pending' | 'running';

export interface ToolOutputEvent extends EventHead {
  kind: 'tool_output';
  /** The call. */
  call: string;
  /** A piece. */
  text: string;
  /** True: how far it is; not part of what it says. */
  progress?: boolean;
}

export interface ToolEndEvent extends EventHead {
  kind: 'tool_end';
  /** The call. */
  call: string;
  /** How it ended. */
  state: ToolEndState;
  /** What it changed; version 0.1 only, now a tool_update tells it. */
  diff?: Diff;
}

export type ToolEndState = 'done' | 'failed' | 'rejected' | 'cancelled';

export interface Diff {
  /** The file. */
  path: string;
  /** Absent: the file is new. */
  before?: string;
  /** Absent: the file is deleted. */
  after?: string;
}

export interface ToolConfirmationEvent extends EventHead {
  kind: 'tool_confirmation';
  /** As it was asked. */
  ask: Ask;
}

export interface Ask {
  /** Unique. */
  id: string;
  /** Where it waits. */
  conversation: string;
  /** What is wanted of the person. */
  kind: AskKind;
  /** The tool call that waits for it. */
  call?: string;
  /** The tool of that call. */
  tool?: string;
  /** One line: the path, the command. */
  title: string;
  /** Who wants what, where, and why it is asked. */
  why: string;
  /** The full command or text that will be used. */
  detail?: string;
  /** What a file will become. */
  diff?: Diff;
  /** For kind question. */
  questions?: Question[];
  /** For kind plan: Markdown. */
  plan?: string;
  /** In the agent's order; empty for questions. */
  options: AskOption[];
  /** What of it a person may change before allowing it: goes back as `edited`. */
  editable?: EditablePart;
  /** Goes back with the answer, which counts only for exactly this. */
  digest: string;
  /** Open until a person, a rule, an expiry or the end of its turn settles it. */
  state: AskState;
  /** Id of the chosen option. */
  chosen?: string;
  /** Feedback, or the answers in words. */
  text?: string;
  /** Who settled it. */
  by?: string;
  /** What a person made of it: this was allowed. */
  edited?: string;
  /** RFC 3339, UTC. */
  created_at: string;
}

export type AskKind = 'permission' | 'question' | 'plan' | 'limit';

export interface Question {
  /** A word or two. */
  header: string;
  /** The whole question. */
  question: string;
  /** Several answers may be chosen. */
  multiple: boolean;
  /** Answers to choose from. */
  options: QuestionOption[];
}

export interface AskOption {
  /** Goes back with the answer. */
  id: string;
  /** For people. */
  label: string;
  /** What choosing it means. */
  kind: OptionKind;
  /** Never the choice of the Enter key. */
  dangerous: boolean;
}

export type EditablePart = 'diff' | 'command';

export type AskState = 'open' | 'answered' | 'expired' | 'cancelled' | 'orphaned';

export interface QuestionOption {
  /** The answer. */
  label: string;
  /** What it means. */
  description: string;
}

export type OptionKind = 'reject_once' | 'reject_always' | 'reject_and_stop' | 'allow_once' | 'allow_always' | 'choice' | 'feedback';

export interface UserQuestionEvent extends EventHead {
  kind: 'user_question';
  /** As it was asked. */
  ask: Ask;
}

export interface PlanApprovalEvent extends EventHead {
  kind: 'plan_approval';
  /** As it was asked. */
  ask: Ask;
}

export interface AskSettledEvent extends EventHead {
  kind: 'ask_settled';
  /** Its id. */
  ask: string;
  /** What became of it. */
  state: AskState;
  /** Id of the chosen option. */
  chosen?: string;
  /** Feedback, or the answers in words. */
  text?: string;
  /** Who settled it. */
  by: string;
  /** What a person made of the proposal: this was allowed. */
  edited?: string;
  /** Id of the rule that holds from then on, by this answer. */
  rule?: string;
}

export interface PlanEvent extends EventHead {
  kind: 'plan';
  /** All of them, each time. */
  entries: PlanEntry[];
}

export interface PlanEntry {
  /** What is to be done. */
  content: string;
  /** How far it is. */
  status: PlanStatus;
  /** How much it matters. */
  priority: PlanPriority;
}

export type PlanStatus = 'pending' | 'in_progress' | 'completed';

export type PlanPriority = 'high' | 'medium' | 'low';

export interface UsageEvent extends EventHead {
  kind: 'usage';
  /** Read by the model, the cache's part too. */
  input_tokens: number;
  /** Written by the model. */
  output_tokens: number;
  /** Of the input, taken from the cache. */
  cache_read_tokens?: number;
  /** Of the input, put into the cache. */
  cache_write_tokens?: number;
  /** When the agent tells it. */
  cost?: Cost;
  /** The same by model. */
  models?: ModelUsage[];
  /** How full the model's window is now. */
  context?: ContextUse;
}

export interface Cost {
  /** How much. */
  amount: number;
  /** ISO 4217: USD, … */
  currency: string;
}

export interface ModelUsage {
  /** Its name. */
  model: string;
  /** Read, the cache's part too. */
  input_tokens: number;
  /** Written. */
  output_tokens: number;
  /** Of the input, taken from the cache. */
  cache_read_tokens?: number;
  /** Of the input, put into the cache. */
  cache_write_tokens?: number;
  /** When the agent tells it. */
  cost?: Cost;
}

export interface ContextUse {
  /** Tokens in the model's window. */
  used: number;
  /** Tokens that it holds. */
  size: number;
}

export interface ModeChangedEvent extends EventHead {
  kind: 'mode';
  /** From now on. */
  mode: Mode;
  /** Name of the user who chose it; absent: the agent, or the person of this machine. */
  by?: string;
}

export interface OptionChangedEvent extends EventHead {
  kind: 'option';
  /** Of the option. */
  id: string;
  /** For people. */
  name: string;
  /** From now on. */
  value: string;
  /** person or agent. */
  by: string;
}

export interface CommandsEvent extends EventHead {
  kind: 'commands';
  /** All of them, each time. */
  commands: SlashCommand[];
}

export interface SlashCommand {
  /** Without the slash. */
  name: string;
  /** What it does. */
  description: string;
  /** What may follow it. */
  hint?: string;
}

export interface ClearedEvent extends EventHead {
  kind: 'cleared';
  /** Name of the user; absent: the person of this machine. */
  by?: string;
}

export interface NoticeEvent extends EventHead {
  kind: 'notice';
  /** How much it matters. */
  level: NoticeLevel;
  /** One sentence for people. */
  text: string;
  /** More, or nothing. */
  detail: string;
  /** What a person did with the conversation; the text says the same. */
  act?: Act;
}

export type NoticeLevel = 'info' | 'warning' | 'error';

export interface Act {
  /** title, model, think, archived, access, stop, go_on, restart or withdraw; more may come. */
  what: string;
  /** What it is from now on; of withdraw the name of who wrote the prompt, where that is somebody else. */
  value?: string;
  /** Name of the user who did it; absent: the person of this machine. */
  by?: string;
}

export interface FailureEvent extends EventHead {
  kind: 'error';
  /** For programs. */
  code: string;
  /** For people. */
  message: string;
  /** What the other side said. */
  detail: string;
  /** The same may succeed later. */
  retryable: boolean;
}

export interface TurnEndEvent extends EventHead {
  kind: 'turn_end';
  /** Id of the turn. */
  turn: string;
  /** Why it ended. */
  stop_reason: StopReason;
  /** How long it took. */
  duration_ms: number;
}

export type StopReason = 'end_turn' | 'max_tokens' | 'refusal' | 'cancelled' | 'max_turns' | 'error';

/** What happened in a conversation. */
export type Event =
  | TurnStartEvent
  | UserMessageEvent
  | TextEvent
  | ThinkingStartEvent
  | ThinkingContentEvent
  | ThinkingEndEvent
  | ToolStartEvent
  | ToolUpdateEvent
  | ToolOutputEvent
  | ToolEndEvent
  | ToolConfirmationEvent
  | UserQuestionEvent
  | PlanApprovalEvent
  | AskSettledEvent
  | PlanEvent
  | UsageEvent
  | ModeChangedEvent
  | OptionChangedEvent
  | CommandsEvent
  | ClearedEvent
  | NoticeEvent
  | FailureEvent
  | TurnEndEvent;

export interface ToolText {
  type: 'text';
  /** What it says. */
  text: string;
}

export interface ToolDiff {
  type: 'diff';
  /** The file. */
  path: string;
  /** Absent: the file is new. */
  before?: string;
  /** Absent: the file is deleted. */
  after?: string;
}

export interface ToolTerminal {
  type: 'terminal';
  /** Its id. */
  terminal: string;
}

export interface ToolPicture {
  type: 'picture';
  /** Its bytes lie beside the log. */
  attachment: AttachmentInfo;
}

/** What a call has to show. */
export type ToolContent =
  | ToolText
  | ToolDiff
  | ToolTerminal
  | ToolPicture;

export interface Conversation {
  /** Unique. */
  id: string;
  /** From the first message, until a person gives one. */
  title: string;
  /** Id of the agent that answers. */
  agent: string;
  /** Absolute path of the folder it works in. */
  folder: string;
  /** More folders that count as inside. */
  folders?: string[];
  /** A person gave the title. */
  named?: boolean;
  /** A person put it away; absent: no. */
  archived?: boolean;
  /** What the agent may do without asking. */
  mode: Mode;
  /** Empty: the agent's default. */
  model: string;
  /** The model thinks before it answers. */
  think: boolean;
  /** Options of its agent as they are here; any other is as the agent offers it. */
  options?: AgentOption[];
  /** Idle, running, or waiting for a person. */
  state: ConversationState;
  /** How much waits for a person. */
  open_asks: number;
  /** Prompts that wait for the running turn. */
  queued: QueuedPrompt[];
  /** What the running turn waits for that is no person; absent: nothing. */
  waits_for?: string;
  /** Number of the newest event. */
  last_seq: number;
  /** RFC 3339, UTC. */
  created_at: string;
  /** RFC 3339, UTC. */
  updated_at: string;
  /** A program began it for one request: http. Absent: a person did. */
  via?: string;
  /** Id of the user whose it is; absent: of the person of this machine. */
  user?: string;
  /** What others of the team may do with it; absent: nothing, it is private. */
  access?: Access;
  /** The runner on whose machine it works; absent: the gateway's. */
  place?: string;
}

export interface AgentOption {
  /** Unique for the agent. */
  id: string;
  /** For people. */
  name: string;
  /** What it is about. */
  description: string;
  /** mode, model, model_config, thought_level; empty: none of them. */
  category: string;
  /** Whether one of `values` is chosen, or yes or no. */
  kind: OptionType;
  /** Of a choice. */
  values: OptionValue[];
  /** In force; of a boolean true or false. */
  value: string;
}

export type ConversationState = 'idle' | 'running' | 'waiting';

export interface QueuedPrompt {
  /** To withdraw it. */
  id: string;
  /** What was written. */
  text: string;
  /** What is wanted of the agent; absent: nothing. */
  options?: PromptOptions;
  /** What came with it. */
  attachments?: AttachmentInfo[];
  /** What the person looked at. */
  context?: PromptContext[];
  /** Name of the user who wrote it; absent: the person of this machine. */
  by?: string;
}

export type OptionType = 'choice' | 'boolean';

export interface OptionValue {
  /** What `set_option` takes. */
  value: string;
  /** For people. */
  name: string;
  /** What it means. */
  description: string;
}

export interface Rule {
  /** To revoke it. */
  id: string;
  /** What it decides. */
  effect: Effect;
  /** For people: what it covers, and where. */
  label: string;
  /** RFC 3339, UTC. */
  created_at: string;
  /** How often it has decided; absent: never. */
  uses?: number;
  /** What it decided last, for people. */
  used_for?: string;
  /** When; RFC 3339, UTC. */
  used_at?: string;
}

export type Effect = 'deny' | 'ask' | 'allow';

export interface AgentInfo {
  /** Unique. */
  id: string;
  /** For people. */
  name: string;
  /** Whether it can be asked. */
  state: Health;
  /** Why it is down, what it waits for. */
  detail: string;
  /** Modes it knows. */
  modes: Mode[];
  /** Models it offers. */
  models: string[];
  /** Its answers come from a script. */
  scripted: boolean;
  /** What it can be shown beside words: image/png, text/*; absent: it does not say. */
  media_types?: string[];
  /** It may keep sessions that `sessions` tells; absent: no. */
  keeps_sessions?: boolean;
  /** What can be chosen beside, with the agent's own choice. */
  options?: AgentOption[];
  /** Its slash commands, before a conversation tells its own. */
  commands?: SlashCommand[];
  /** The runner on whose machine it works; absent: the gateway's. */
  place?: string;
  /** Folders of that machine that it may work in, and below them; absent: any. */
  folders?: string[];
}

export type Health = 'ready' | 'starting' | 'down';

export interface ServiceInfo {
  /** Unique. */
  name: string;
  /** Whether it works. */
  state: Health;
  /** Why not. */
  detail: string;
}

export interface SpentOn {
  /** 2026-03-09, of the place where the host runs. */
  day: string;
  /** Its id; it may be deleted by now. */
  conversation: string;
  /** What was used. */
  spent: Spent;
}

export interface Spent {
  /** Turns that an agent ended. */
  turns: number;
  /** Of these, such as nobody said of what they used. */
  untold_turns: number;
  /** Read by models, the cache's part too. */
  input_tokens: number;
  /** Written by models. */
  output_tokens: number;
  /** Of the input, taken from the cache, as far as it was told. */
  cache_read_tokens: number;
  /** As far as they were told, one for each currency; nothing is converted. */
  costs: Cost[];
}

export interface SpendingLimits {
  /** Read and written by all models in a day; absent: no limit. */
  day_tokens?: number;
  /** What they cost in a day, of this currency alone. */
  day_cost?: Cost;
  /** Of one conversation, from its beginning. */
  conversation_tokens?: number;
  /** The same as money. */
  conversation_cost?: Cost;
}

export interface OpenedValue {
  /** In order. */
  events: Event[];
  /** Live events go on after it. */
  last_seq: number;
  /** Of the events; after the last when there are none. */
  first_seq: number;
}

export interface OlderValue {
  /** In order. */
  events: Event[];
  /** Of the events; 1 when nothing older exists. */
  first_seq: number;
}

export interface ConversationValue {
  /** As it is now. */
  conversation: Conversation;
}

export interface PromptedValue {
  /** The turn that runs, or */
  turn?: string;
  /** the place where it waits. */
  queued?: string;
}

export interface SearchValue {
  /** The newest place of each conversation, newest conversation first. */
  hits: SearchHit[];
}

export interface KeptSessionsValue {
  /** Newest first, without those that are conversations already. */
  sessions: KeptSession[];
}

export interface FilesValue {
  /** Relative to the folder, best first. */
  paths: string[];
  /** False: the folder has more files than are looked at. */
  all: boolean;
}

export interface MemoriesValue {
  /** Best or newest first. */
  memories: Memory[];
  /** `before` of the next page; absent: this was the last. */
  next?: string;
}

export interface UsageValue {
  /** The day of the host, as in `spent`. */
  today: string;
  /** By day and conversation, the oldest day first. */
  spent: SpentOn[];
  /** What may be used before turns are held back. */
  limits: SpendingLimits;
}

export interface PushValue {
  /** Of this host, for `subscribe` (RFC 8292): base64url of 65 bytes. */
  public_key: string;
  /** Those that are told, the oldest first. */
  browsers: PushBrowser[];
}

export interface SearchHit {
  /** Where it was said. */
  conversation: string;
  /** Number of the event with which the text begins. */
  seq: number;
  /** One line around the words. */
  snippet: string;
}

export interface KeptSession {
  /** The agent's name for it. */
  id: string;
  /** May be empty. */
  title: string;
  /** RFC 3339; empty when the agent does not tell. */
  updated_at: string;
}

export interface Memory {
  /** Names it. */
  id: string;
  /** What is remembered. */
  text: string;
  /** Of what kind it is; what an agent tells beyond these is other. */
  category: Category;
  /** 0 to 1. */
  importance: number;
  /** Who made it: agent, manual, import, … */
  source: string;
  /** Id of the conversation that it comes from, which may be gone. */
  conversation?: string;
  /** Number of the message in it. */
  event?: number;
  /** RFC 3339; empty when the agent does not tell. */
  created_at: string;
  /** Of a search: 0 to 1, from 0.7 on a match. */
  score?: number;
  /** Of a search: keyword, vector or both. */
  matched?: string;
}

export interface PushBrowser {
  /** Names it; the same for the same endpoint. */
  id: string;
  /** For people: the browser, and what it runs on. */
  name: string;
  /** The host of its push service. */
  service: string;
  /** RFC 3339, UTC. */
  created_at: string;
  /** When its service took a message the last time; absent: not yet. */
  told_at?: string;
}

/** What `done` carries, by the `type` of the request. */
export interface RequestValues {
  open: OpenedValue;
  older: OlderValue;
  close: undefined;
  new: ConversationValue;
  prompt: PromptedValue;
  withdraw: undefined;
  stop: undefined;
  go_on: undefined;
  restart: undefined;
  look_for_agents: undefined;
  answer: undefined;
  reask: PromptedValue;
  set: undefined;
  set_option: undefined;
  clear: undefined;
  delete: undefined;
  revoke: undefined;
  search: SearchValue;
  sessions: KeptSessionsValue;
  adopt: ConversationValue;
  files: FilesValue;
  memory_search: MemoriesValue;
  memory_list: MemoriesValue;
  memory_forget: undefined;
  usage: UsageValue;
  set_limits: undefined;
  push: PushValue;
  push_subscribe: PushValue;
  push_remove: PushValue;
  looking: undefined;
}

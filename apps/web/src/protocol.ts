// SPDX-License-Identifier: Apache-2.0
// Messages between the page and its gateway: JSON objects, each in a WebSocket text frame.
//
// Printed from the tables of the gateway (protocol/page/messages.h, wire_form/event_tables.h) by `parlance describe page --form typescript`.
// Do not edit by hand: `scripts/describe.sh` writes this file.
//
// The gateway keeps all state. After `ready` follows one `snapshot`. From then on, every change is a `delta` with the next `seq` of the
// connection. A gap means a lost delta: send `ready` again and start from the new snapshot. The transcript of a conversation is a fold
// over its events. Events have a `seq` inside the conversation, never change, and can be requested from any cursor on. A newer gateway
// may send unknown kinds: skip these (unknown.ts).

export interface Ready {
  type: 'ready';
  /** Ids of conversations that the snapshot must contain in addition, at most 100. Absent: none. */
  conversations?: string[];
}

export interface OpenConversation {
  type: 'open';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
  /** Number of the last event that the page has. 0: none. */
  after: number;
  /** Highest number of events. Default 2000, at most 20000 and 4 MiB. */
  limit?: number;
}

export interface OlderEvents {
  type: 'older';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
  /** Number of the first event that the page has. */
  before: number;
  /** Highest number of events. Default 2000, at most 20000 and 4 MiB. */
  limit?: number;
}

export interface ListConversations {
  type: 'conversations';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** The `older` of the snapshot, or of the page before. */
  before: string;
  /** Highest number of conversations. Default 1000, at most 5000. */
  limit?: number;
}

export interface GetConversation {
  type: 'get';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
}

export interface CloseConversation {
  type: 'close';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
}

export interface NewConversation {
  type: 'new';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of the agent. */
  agent: string;
  /** Working folder: an absolute path, or a path that begins with ~. */
  folder: string;
  /** Additional folders, in the same form. Their files count as inside. */
  folders?: string[];
  /** Mode of the conversation. Absent: default. */
  mode?: Mode;
  /** Name of the model. Absent or empty: the agent's default. */
  model?: string;
  /** True: the model thinks before it answers. */
  think?: boolean;
}

export type Mode = 'default' | 'autoEdit' | 'yolo' | 'plan' | 'smart';

export interface Prompt {
  type: 'prompt';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
  /** Text of the person. May be empty with attachments. */
  text: string;
  /** Context of an editor. The agent receives the context with the text. */
  context?: PromptContext[];
  /** Settings of the frontend for this turn. Absent: none. */
  options?: PromptOptions;
  /** Attached files, within `attachment_limits`. */
  attachments?: AttachedFile[];
}

export interface PromptContext {
  /** Absolute path of the file with the focus in the editor. */
  path: string;
  /** Selected lines. Absent: no selection. */
  range?: LineRange;
  /** Text of the selected lines. */
  text?: string;
}

export interface PromptOptions {
  /** Highest number of model answers in this turn. Absent: the agent's own limit. */
  most_rounds?: number;
  /** Instructions in place of the agent's own instructions. Absent: the agent's own. */
  system?: string;
  /** Instructions after the agent's own instructions. Absent: none. */
  append_system?: string;
}

export interface AttachedFile {
  /** File name for people. May be empty. */
  name: string;
  /** Media type, such as image/png. */
  media_type: string;
  /** Bytes of the file, base64. (base64) */
  data: string;
}

export interface LineRange {
  /** First line, counted from 1. */
  first: number;
  /** Last line, this line included. */
  last: number;
}

export interface Withdraw {
  type: 'withdraw';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
  /** Id of the queued prompt. */
  queued: string;
}

export interface Stop {
  type: 'stop';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
  /** True: stop only a turn that a prompt of the caller started. Absent: any turn. */
  only_own?: boolean;
}

export interface GoOn {
  type: 'go_on';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of a conversation with a held queue. */
  conversation: string;
}

export interface RestartAgent {
  type: 'restart';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of a conversation whose agent process died. */
  conversation: string;
}

export interface LookForAgents {
  type: 'look_for_agents';
  /** Id of the request. Changed agents are reported as `agent` operations. */
  request: string;
}

export interface Answer {
  type: 'answer';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of the request for a person. */
  ask: string;
  /** Digest of the shown content. The answer is valid for exactly this content. */
  digest: string;
  /** Id of the selected option. */
  option?: string;
  /** Feedback or a note. */
  text?: string;
  /** Answers to the questions, in their order. Each answer is a list. */
  answers?: string[][];
  /** With an allowing option: the `editable` part after edits by the person. */
  edited?: string;
}

export interface Reask {
  type: 'reask';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of an orphaned request. */
  ask: string;
}

export interface SetConversation {
  type: 'set';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
  /** The new title. */
  title?: string;
  /** The new mode, from now on. */
  mode?: Mode;
  /** Name of the new model, from the next turn on. */
  model?: string;
  /** True: the model thinks, from the next turn on. */
  think?: boolean;
  /** True: archive the conversation. False: restore it. */
  archived?: boolean;
  /** The new access of other users. */
  access?: Access;
}

export type Access = 'private' | 'view' | 'team';

export interface SetOption {
  type: 'set_option';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
  /** Id of one of the agent's options. */
  option: string;
  /** A value of the option, or true or false. Applies from the next turn at the latest. */
  value: string;
}

export interface ClearConversation {
  type: 'clear';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of the conversation. Messages are hidden, and the agent starts a new session. */
  conversation: string;
}

export interface DeleteConversation {
  type: 'delete';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of the conversation. */
  conversation: string;
}

export interface RevokeRule {
  type: 'revoke';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of the rule. */
  rule: string;
}

export interface Search {
  type: 'search';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Words to find in texts of people and agents. Titles are not searched. */
  words: string;
}

export interface KeptSessions {
  type: 'sessions';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of the agent. */
  agent: string;
  /** Folder of the sessions: an absolute path, or a path that begins with ~. */
  folder: string;
}

export interface AdoptSession {
  type: 'adopt';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of the agent. */
  agent: string;
  /** Absolute path, or a path that begins with ~. */
  folder: string;
  /** The agent's id of the session. A new conversation continues the session with all its messages. */
  session: string;
}

export interface FindFiles {
  type: 'files';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Folder to search: an absolute path, or a path that begins with ~. */
  folder: string;
  /** Characters to find, in this order, anywhere in the path. Empty: every file matches. */
  typed: string;
  /** Additional folders to search. Paths of their files are absolute. */
  folders?: string[];
  /** Patterns of excluded files, in the form of editor settings, in addition to .gitignore files. */
  excluded?: string[];
  /** Id of the conversation. On a runner's machine, its own folders are searched and `folder` is ignored. */
  conversation?: string;
  /** Id of the agent of a new conversation, perhaps on a runner's machine. Ignored with `conversation`. */
  agent?: string;
}

export interface SearchMemories {
  type: 'memory_search';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Text to find, by meaning and by words. */
  query: string;
  /** Search only this category. Absent: all categories. */
  category?: Category;
}

export type Category = 'preference' | 'decision' | 'fact' | 'entity' | 'other';

export interface ListMemories {
  type: 'memory_list';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Return only this category. Absent: all categories. */
  category?: Category;
  /** Return only memories of this conversation. Absent: all conversations. */
  conversation?: string;
  /** The `next` of the page before. Absent: start with the newest. */
  before?: string;
  /** Highest number of memories. */
  limit?: number;
}

export interface ForgetMemory {
  type: 'memory_forget';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of the memory. It is deleted permanently. */
  id: string;
}

export interface GetUsage {
  type: 'usage';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** First day to return, such as 2026-03-09. Absent: all days. */
  since?: string;
}

export interface SetLimits {
  type: 'set_limits';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Limit of input and output tokens of all models in a day. Absent: no limit. */
  day_tokens?: number;
  /** Limit of costs in a day. Only costs in this currency count. */
  day_cost?: Money;
  /** Limit of tokens for a conversation since its start. Absent: no limit. */
  conversation_tokens?: number;
  /** Limit of costs for a conversation since its start. Only costs in this currency count. */
  conversation_cost?: Money;
}

export interface Money {
  /** Amount of money, above 0. */
  amount: number;
  /** Currency code of ISO 4217, such as USD. */
  currency: string;
}

export interface GetPush {
  type: 'push';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
}

export interface PushSubscribe {
  type: 'push_subscribe';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Address of a push service from the gateway's list. */
  endpoint: string;
  /** Public key of the browser: base64url of 65 bytes. */
  p256dh: string;
  /** Authentication secret of the browser: base64url of 16 bytes. */
  auth: string;
  /** Name of the browser for people. May be empty. */
  name: string;
}

export interface PushRemove {
  type: 'push_remove';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Id of the browser. An unknown id is not an error. */
  id: string;
}

export interface GetMcpServers {
  type: 'mcp_servers';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
}

export interface ChangeMcpServer {
  type: 'mcp_change';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** The change: add, remove, pause, resume, restart, login or logout. */
  action: string;
  /** Name of the server. For add: letters, digits, - and _. */
  name: string;
  /** For add: the address of the server. */
  url?: string;
}

export interface Looking {
  type: 'looking';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** True: the page is visible and has the keyboard focus, so that no push message is necessary. */
  looking: boolean;
}

export interface GetModels {
  type: 'models';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
}

export interface ListModels {
  type: 'list_models';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** The server to ask. Nothing is stored. */
  connection: GivenConnection;
}

export interface GivenConnection {
  /** Name: 1 to 64 characters of a-z, 0-9, '.', '-' and '_'. */
  name: string;
  /** Id of the vendor. */
  vendor: string;
  /** Address of the API. */
  url: string;
  /** Protocol of the API: openai or anthropic. */
  dialect: string;
  /** Id of the model. Empty: the default of the server. */
  model: string;
  /** Key of the API. Absent: the stored key of this name, if the connection has the same address; otherwise none. */
  key?: string;
  /** Instead of `key`: a usual variable of the vendor, for the vendor's own address only. */
  key_variable?: string;
  /** Permits http:// to another machine. Default: false. */
  unencrypted?: boolean;
}

export interface TestModel {
  type: 'test_model';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Receives the smallest possible chat. Nothing is stored. */
  connection: GivenConnection;
}

export interface SaveModel {
  type: 'save_model';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Stored and used from the next turn on. Replaces a connection of this name. */
  connection: GivenConnection;
}

export interface RemoveModel {
  type: 'remove_model';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
  /** Name of the connection. Removes the key, too. */
  name: string;
}

export interface GetSetup {
  type: 'setup';
  /** Id of the request, chosen by the page. The answer has the same id. */
  request: string;
}

/** Every message except `ready` carries a `request` and is answered once, by `done` or `failed`. */
export type PageMessage =
  | Ready
  | OpenConversation
  | OlderEvents
  | ListConversations
  | GetConversation
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
  | GetMcpServers
  | ChangeMcpServer
  | Looking
  | GetModels
  | ListModels
  | TestModel
  | SaveModel
  | RemoveModel
  | GetSetup;

export interface Snapshot {
  type: 'snapshot';
  /** Number of the snapshot. The next delta has the following number. */
  seq: number;
  /** Version of the gateway. */
  version: string;
  /** Optional capabilities of the gateway. */
  capabilities: string[];
  /** Absolute path of the person's home folder. */
  home: string;
  /** Working folder of a new conversation without a named folder. */
  default_folder: string;
  /** Limits for attachments of a prompt. */
  attachment_limits: AttachmentLimits;
  /** Users of the gateway. Absent: a single person. */
  team?: Team;
  /** All agents with their states. */
  agents: AgentInfo[];
  /** All services with their states. */
  services: ServiceInfo[];
  /** The 200 conversations with the latest changes, newest first, and all with a turn, a queue or a request. */
  conversations: Conversation[];
  /** The `before` of `conversations`, for the others. Absent: there are no others. */
  older?: string;
  /** Open requests, oldest first. */
  asks: Ask[];
  /** Standing permissions of all conversations. */
  rules: Rule[];
}

export interface AttachmentLimits {
  /** Highest number of files with a prompt. */
  files: number;
  /** Highest number of bytes in all files of a prompt. */
  bytes: number;
  /** Highest number of bytes in a file of a type image/…. */
  picture_bytes: number;
  /** Media types for agents that report none themselves. text/* means every text. */
  media_types: string[];
}

export interface Team {
  /** Id of the user of this page. Empty: the person of the gateway's machine. */
  user: string;
  /** Role of this user: viewer, member or admin. */
  role: string;
  /** All users, sorted by name. */
  people: Person[];
}

export interface Person {
  /** Id of the user, as in conversations. */
  id: string;
  /** Name of the user for people. */
  name: string;
}

export interface Delta {
  type: 'delta';
  /** Number of the delta: one more than before. After a gap, send `ready` again. */
  seq: number;
  /** Changes in order. */
  ops: Op[];
}

export interface Done {
  type: 'done';
  /** Id of the answered request. */
  request: string;
  /** Result of the request. Absent: no result. */
  value?: unknown;
}

export interface Failed {
  type: 'failed';
  /** Id of the answered request. Empty: the message was unreadable. */
  request: string;
  /** Error code for programs, such as not_found or invalid_params. */
  code: string;
  /** Text of the error for people, with the place of a fault in the message. */
  message: string;
}

export type HostMessage =
  | Snapshot
  | Delta
  | Done
  | Failed;

export interface ConversationOp {
  op: 'conversation';
  /** A new or changed conversation. */
  conversation: Conversation;
}

export interface ConversationRemovedOp {
  op: 'conversation_removed';
  /** Id of a deleted conversation. Its events and requests are deleted too. */
  id: string;
}

export interface EventsOp {
  op: 'events';
  /** Id of a conversation that the page has opened. */
  conversation: string;
  /** New events in order. The first event follows the last event sent before. */
  events: Event[];
}

export interface AskOp {
  op: 'ask';
  /** A new or changed request of any conversation. */
  ask: Ask;
}

export interface RuleOp {
  op: 'rule';
  /** A new rule, or a rule after a decision. */
  rule: Rule;
}

export interface RuleRemovedOp {
  op: 'rule_removed';
  /** Id of a removed rule. */
  id: string;
}

export interface AgentOp {
  op: 'agent';
  /** A new or changed agent. */
  agent: AgentInfo;
}

export interface ServiceOp {
  op: 'service';
  /** A new or changed service. */
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
  /** Settings of the frontend for this turn. Absent: none. */
  options?: PromptOptions;
  /** Name of the user who started a turn without a message. Absent: the person of the machine. */
  by?: string;
}

export interface EventHead {
  /** Number in the conversation, counted from 1. */
  seq: number;
  /** Time of the event, RFC 3339 in UTC. */
  time: string;
}

export interface UserMessageEvent extends EventHead {
  kind: 'user_message';
  /** Id of the turn that the message starts. */
  turn: string;
  /** Text of the message. */
  text: string;
  /** Attachments of the message. Absent: none. */
  attachments?: AttachmentInfo[];
  /** Context of the person's editor. Absent: none. */
  context?: PromptContext[];
  /** Name of the author. Absent: the person of the machine. */
  by?: string;
}

export interface AttachmentInfo {
  /** Id of the attachment. */
  id: string;
  /** Media type, such as image/png. */
  media_type: string;
  /** File name for people. May be empty. */
  name: string;
  /** Size in bytes. */
  bytes: number;
  /** Address of an attachment without bytes. Absent: the bytes are stored. */
  url?: string;
}

export interface TextEvent extends EventHead {
  kind: 'text';
  /** The next piece of the answer. Append it to the text before. */
  text: string;
}

export interface ThinkingStartEvent extends EventHead {
  kind: 'thinking_start';
}

export interface ThinkingContentEvent extends EventHead {
  kind: 'thinking_content';
  /** The next piece of thinking. Append it to the piece before. */
  text: string;
}

export interface ThinkingEndEvent extends EventHead {
  kind: 'thinking_end';
  /** Duration of the thinking in milliseconds. */
  duration_ms: number;
}

export interface ToolStartEvent extends EventHead {
  kind: 'tool_start';
  /** Id of the call, unique in the turn. */
  call: string;
  /** Name of the tool. */
  tool: string;
  /** One line for people. */
  title: string;
  /** Input of the call, any JSON. */
  input: unknown;
  /** Id of the sub-agent's call that makes this call. Absent: the main agent. */
  parent?: string;
  /** Kind of the call. Absent: other. */
  call_kind?: CallKind;
  /** Files that the call reads or changes. */
  locations?: Location[];
}

export type CallKind = 'read' | 'edit' | 'delete' | 'move' | 'search' | 'execute' | 'think' | 'fetch' | 'switch_mode' | 'other';

export interface Location {
  /** Absolute path of the file. */
  path: string;
  /** Line, counted from 1. Absent: the whole file. */
  line?: number;
}

export interface ToolUpdateEvent extends EventHead {
  kind: 'tool_update';
  /** Id of the call. Absent members keep their values. */
  call: string;
  /** One line for people. */
  title?: string;
  /** Kind of the call. */
  call_kind?: CallKind;
  /** State of the call: pending or running. */
  status?: CallStatus;
  /** Input of the call, any JSON. */
  input?: unknown;
  /** All files that the call reads or changes. */
  locations?: Location[];
  /** The whole content: texts, changed files, terminals and pictures. */
  content?: ToolContent[];
}

export type CallStatus = 'pending' | 'running';

export interface ToolOutputEvent extends EventHead {
  kind: 'tool_output';
  /** Id of the call. */
  call: string;
  /** The next piece of output. Append it to the piece before. */
  text: string;
  /** True: the piece reports progress and is not part of the output. */
  progress?: boolean;
}

export interface ToolEndEvent extends EventHead {
  kind: 'tool_end';
  /** Id of the call. */
  call: string;
  /** Result of the call: done, failed, rejected or cancelled. */
  state: ToolEndState;
}

export type ToolEndState = 'done' | 'failed' | 'rejected' | 'cancelled';

export interface ToolConfirmationEvent extends EventHead {
  kind: 'tool_confirmation';
  /** The request at its creation. */
  ask: Ask;
}

export interface Ask {
  /** Id of the request. */
  id: string;
  /** Id of the conversation. */
  conversation: string;
  /** Kind of the request. */
  kind: AskKind;
  /** Id of the waiting tool call. */
  call?: string;
  /** Name of the tool. */
  tool?: string;
  /** One line: the path or the command. */
  title: string;
  /** The caller, its action and place, and the reason of the request. */
  why: string;
  /** The reason for translation. Absent or unknown: show `why`. */
  reason?: Reason;
  /** The complete command or text that the call uses. */
  detail?: string;
  /** Change of a file. */
  diff?: Diff;
  /** With kind question: the questions. */
  questions?: Question[];
  /** With kind plan: the plan as Markdown. */
  plan?: string;
  /** Offered options in the agent's order. Empty for questions. */
  options: AskOption[];
  /** The part that a person may edit before allowing, returned as `edited`. */
  editable?: EditablePart;
  /** Digest of the shown content, for the answer. An answer with another digest has no effect. */
  digest: string;
  /** State of the request. Open until a person, a rule, an expiry or the end of the turn settles the request. */
  state: AskState;
  /** Id of the selected option. */
  chosen?: string;
  /** Feedback, or the answers as text. */
  text?: string;
  /** Name of the person or program that settled the request. */
  by?: string;
  /** The proposal after the person's edits. This version was allowed. */
  edited?: string;
  /** Time of creation, RFC 3339 in UTC. */
  created_at: string;
}

export type AskKind = 'permission' | 'question' | 'plan' | 'limit';

export interface Reason {
  /** Id of the reason. docs/policy.md lists the ids with their sentences; skip unknown ids. */
  id: string;
  /** Values for the sentence, in order. */
  values: string[];
  /** Name of the agent that wants the call in the folder. Empty: the sentence stands alone. */
  agent: string;
}

export interface Diff {
  /** Absolute path of the file. */
  path: string;
  /** Text before the change. Absent: the file is new. */
  before?: string;
  /** Text after the change. Absent: the file is deleted. */
  after?: string;
}

export interface Question {
  /** Short name of the question. */
  header: string;
  /** The complete question. */
  question: string;
  /** True: several choices may be selected. */
  multiple: boolean;
  /** Choices offered to the person. */
  options: QuestionOption[];
}

export interface AskOption {
  /** Id of the option, for the answer. */
  id: string;
  /** Label of the option for people. */
  label: string;
  /** Meaning of the option. */
  kind: OptionKind;
  /** True: the Enter key never selects this option. */
  dangerous: boolean;
}

export type EditablePart = 'diff' | 'command';

export type AskState = 'open' | 'answered' | 'expired' | 'cancelled' | 'orphaned';

export interface QuestionOption {
  /** Text of the choice, and the answer after selection. */
  label: string;
  /** Effect of the choice. */
  description: string;
}

export type OptionKind = 'reject_once' | 'reject_always' | 'reject_and_stop' | 'allow_once' | 'allow_always' | 'choice' | 'feedback';

export interface UserQuestionEvent extends EventHead {
  kind: 'user_question';
  /** The request at its creation. */
  ask: Ask;
}

export interface PlanApprovalEvent extends EventHead {
  kind: 'plan_approval';
  /** The request at its creation. */
  ask: Ask;
}

export interface AskSettledEvent extends EventHead {
  kind: 'ask_settled';
  /** Id of the request. */
  ask: string;
  /** New state of the request. */
  state: AskState;
  /** Id of the selected option. Absent: none. */
  chosen?: string;
  /** Feedback, or the answers as text. */
  text?: string;
  /** Name of the person or program that settled the request. */
  by: string;
  /** The proposal after the person's edits. This version was allowed. Absent: no edits. */
  edited?: string;
  /** Id of the rule that this answer created. Absent: none. */
  rule?: string;
}

export interface PlanEvent extends EventHead {
  kind: 'plan';
  /** The whole plan. It replaces the earlier plan. */
  entries: PlanEntry[];
}

export interface PlanEntry {
  /** Text of the task. */
  content: string;
  /** State of the task. */
  status: PlanStatus;
  /** Priority of the task. */
  priority: PlanPriority;
}

export type PlanStatus = 'pending' | 'in_progress' | 'completed';

export type PlanPriority = 'high' | 'medium' | 'low';

export interface UsageEvent extends EventHead {
  kind: 'usage';
  /** Number of input tokens, cached tokens included. */
  input_tokens: number;
  /** Number of output tokens. */
  output_tokens: number;
  /** Number of input tokens read from a cache. Absent: not reported. */
  cache_read_tokens?: number;
  /** Number of input tokens written to a cache. Absent: not reported. */
  cache_write_tokens?: number;
  /** Cost of the tokens. Absent: not reported. */
  cost?: Cost;
  /** The same numbers by model. Absent: one model, or not reported. */
  models?: ModelUsage[];
  /** Present use of the context window. Absent: not reported. */
  context?: ContextUse;
}

export interface Cost {
  /** Amount of money. */
  amount: number;
  /** Currency code of ISO 4217, such as USD. */
  currency: string;
}

export interface ModelUsage {
  /** Name of the model. */
  model: string;
  /** Number of input tokens, cached tokens included. */
  input_tokens: number;
  /** Number of output tokens. */
  output_tokens: number;
  /** Number of input tokens read from a cache. Absent: not reported. */
  cache_read_tokens?: number;
  /** Number of input tokens written to a cache. Absent: not reported. */
  cache_write_tokens?: number;
  /** Cost of the tokens. Absent: not reported. */
  cost?: Cost;
}

export interface ContextUse {
  /** Number of tokens in the context window. */
  used: number;
  /** Size of the context window in tokens. */
  size: number;
}

export interface ModeChangedEvent extends EventHead {
  kind: 'mode';
  /** The new mode. */
  mode: Mode;
  /** Name of the user. Absent: the agent, or the person of the machine. */
  by?: string;
}

export interface OptionChangedEvent extends EventHead {
  kind: 'option';
  /** Id of the option. */
  id: string;
  /** Name of the option for people. */
  name: string;
  /** The new value. */
  value: string;
  /** Actor: person, agent, or the name of a user. */
  by: string;
}

export interface CommandsEvent extends EventHead {
  kind: 'commands';
  /** All commands. They replace the earlier list. */
  commands: SlashCommand[];
}

export interface SlashCommand {
  /** Name of the command without its slash. */
  name: string;
  /** Effect of the command. */
  description: string;
  /** Hint for the text after the name. */
  hint?: string;
}

export interface ClearedEvent extends EventHead {
  kind: 'cleared';
  /** Name of the user. Absent: the person of the machine. */
  by?: string;
}

export interface NoticeEvent extends EventHead {
  kind: 'notice';
  /** Severity of the notice. */
  level: NoticeLevel;
  /** One sentence for people. */
  text: string;
  /** Further information. May be empty. */
  detail: string;
  /** The change by a person. Its text says the same. Absent: no change. */
  act?: Act;
}

export type NoticeLevel = 'info' | 'warning' | 'error';

export interface Act {
  /** Kind of the change: title, model, think, archived, access, stop, go_on, restart or withdraw. Later versions may add kinds. */
  what: string;
  /** The new value. For withdraw, the author of the prompt if different from the actor. */
  value?: string;
  /** Name of the user. Absent: the person of the machine. */
  by?: string;
}

export interface FailureEvent extends EventHead {
  kind: 'error';
  /** Error code for programs. */
  code: string;
  /** Text of the error for people. */
  message: string;
  /** Text of the other side. May be empty. */
  detail: string;
  /** True: a repetition may succeed later. */
  retryable: boolean;
}

export interface TurnEndEvent extends EventHead {
  kind: 'turn_end';
  /** Id of the turn. */
  turn: string;
  /** Reason for the end of the turn. */
  stop_reason: StopReason;
  /** Duration of the turn in milliseconds. */
  duration_ms: number;
}

export type StopReason = 'end_turn' | 'max_tokens' | 'refusal' | 'cancelled' | 'max_turns' | 'error';

/** An event of a conversation. */
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
  /** Text of the output. */
  text: string;
}

export interface ToolDiff {
  type: 'diff';
  /** Absolute path of the file. */
  path: string;
  /** Text before the change. Absent: the file is new. */
  before?: string;
  /** Text after the change. Absent: the file is deleted. */
  after?: string;
}

export interface ToolTerminal {
  type: 'terminal';
  /** Id of the terminal. */
  terminal: string;
}

export interface ToolPicture {
  type: 'picture';
  /** The picture. Its bytes are stored outside of the log. */
  attachment: AttachmentInfo;
}

/** Content of a call. */
export type ToolContent =
  | ToolText
  | ToolDiff
  | ToolTerminal
  | ToolPicture;

export interface Conversation {
  /** Id of the conversation. */
  id: string;
  /** Title: derived from the first message, or given by a person. */
  title: string;
  /** Id of the agent. */
  agent: string;
  /** Absolute path of the working folder. */
  folder: string;
  /** Additional folders. Their files count as inside. */
  folders?: string[];
  /** True: a person gave the title. */
  named?: boolean;
  /** True: the conversation is archived. Absent: false. */
  archived?: boolean;
  /** Mode of the conversation, which decides about requests. */
  mode: Mode;
  /** Name of the model. Empty: the agent's default. */
  model: string;
  /** True: the model thinks before it answers. */
  think: boolean;
  /** Changed options of the agent. Other options have the agent's values. */
  options?: AgentOption[];
  /** State of the conversation: idle, running, or waiting for a person. */
  state: ConversationState;
  /** Number of open requests. */
  open_asks: number;
  /** Prompts that wait for the running turn. */
  queued: QueuedPrompt[];
  /** Reason of a wait for something other than a person: a text, or an id with numbers (model.retry SECONDS ATTEMPT ATTEMPTS, model.silent SECONDS). Absent: no such wait. */
  waits_for?: string;
  /** Number of the newest event. 0: none. */
  last_seq: number;
  /** Time of creation, RFC 3339 in UTC. */
  created_at: string;
  /** Time of the last change, RFC 3339 in UTC. */
  updated_at: string;
  /** Origin of the conversation: http, for a program's single request. Absent: a person. */
  via?: string;
  /** Id of the conversation's user. Absent: the person of the machine. */
  user?: string;
  /** Access of other users. Absent: private. */
  access?: Access;
  /** Name of the runner. Absent: the gateway's machine. */
  place?: string;
}

export interface AgentOption {
  /** Id of the option, unique for the agent. */
  id: string;
  /** Name of the option for people. */
  name: string;
  /** Description of the option. */
  description: string;
  /** Category: mode, model, model_config, thought_level, or empty. */
  category: string;
  /** Kind of the option: a choice among `values`, or a boolean. */
  kind: OptionType;
  /** Values of a choice. */
  values: OptionValue[];
  /** Present value; true or false for a boolean. */
  value: string;
}

export type ConversationState = 'idle' | 'running' | 'waiting';

export interface QueuedPrompt {
  /** Id of the queued prompt, for `withdraw`. */
  id: string;
  /** Text of the prompt. */
  text: string;
  /** Settings of the frontend for this turn. Absent: none. */
  options?: PromptOptions;
  /** Attachments of the prompt. Absent: none. */
  attachments?: AttachmentInfo[];
  /** Context of the person's editor. Absent: none. */
  context?: PromptContext[];
  /** Name of the author. Absent: the person of the machine. */
  by?: string;
}

export type OptionType = 'choice' | 'boolean';

export interface OptionValue {
  /** Value for `set_option`. */
  value: string;
  /** Name of the value for people. */
  name: string;
  /** Effect of the value. */
  description: string;
}

export interface Rule {
  /** Id of the rule, for `revoke`. */
  id: string;
  /** Effect of the rule: deny, ask or allow. */
  effect: Effect;
  /** Scope of the rule for people. */
  label: string;
  /** Time of creation, RFC 3339 in UTC. */
  created_at: string;
  /** Number of decisions by the rule. Absent: 0. */
  uses?: number;
  /** Latest decision of the rule, for people. */
  used_for?: string;
  /** Time of the latest decision, RFC 3339 in UTC. */
  used_at?: string;
}

export type Effect = 'deny' | 'ask' | 'allow';

export interface AgentInfo {
  /** Id of the agent. */
  id: string;
  /** Name of the agent for people. */
  name: string;
  /** State of the agent. */
  state: Health;
  /** Reason of a failure or wait. */
  detail: string;
  /** Modes of the agent. */
  modes: Mode[];
  /** Models of the agent. */
  models: string[];
  /** True: a script writes the answers. */
  scripted: boolean;
  /** Media types that the agent can read in addition to text, such as image/png or text/*. Absent: not reported. */
  media_types?: string[];
  /** True: the agent may keep sessions, listed by `sessions`. Absent: false. */
  keeps_sessions?: boolean;
  /** Further options of the agent with their present values. */
  options?: AgentOption[];
  /** Slash commands of the agent, before a conversation reports its own. */
  commands?: SlashCommand[];
  /** Name of the runner. Absent: the gateway's machine. */
  place?: string;
  /** Offered folders of that machine. Agents work in these and below. Absent: any folder. */
  folders?: string[];
}

export type Health = 'ready' | 'starting' | 'down';

export interface ServiceInfo {
  /** Name of the service. */
  name: string;
  /** State of the service. */
  state: Health;
  /** Reason of a failure. */
  detail: string;
}

export interface SpentOn {
  /** Day at the place of the gateway, such as 2026-03-09. */
  day: string;
  /** Id of the conversation. The conversation may be deleted. */
  conversation: string;
  /** Sums of the day and conversation. */
  spent: Spent;
}

export interface Spent {
  /** Number of turns that an agent ended. */
  turns: number;
  /** Number of turns without reported use. */
  untold_turns: number;
  /** Number of input tokens, cached tokens included. */
  input_tokens: number;
  /** Number of output tokens. */
  output_tokens: number;
  /** Number of input tokens read from a cache, as far as reported. */
  cache_read_tokens: number;
  /** Reported costs, one entry for each currency. Currencies are not converted. */
  costs: Cost[];
}

export interface SpendingLimits {
  /** Limit of input and output tokens of all models in a day. Absent: no limit. */
  day_tokens?: number;
  /** Limit of costs in a day. Only costs in this currency count. */
  day_cost?: Cost;
  /** Limit of tokens for a conversation since its start. Absent: no limit. */
  conversation_tokens?: number;
  /** Limit of costs for a conversation since its start. Only costs in this currency count. */
  conversation_cost?: Cost;
}

export interface OpenedValue {
  /** Events in order. */
  events: Event[];
  /** Number of the newest event. Live events follow. */
  last_seq: number;
  /** Number of the first event. Without events, one more than the newest event. */
  first_seq: number;
}

export interface OlderValue {
  /** Events in order. */
  events: Event[];
  /** Number of the first event. 1: no older event exists. */
  first_seq: number;
}

export interface ConversationsValue {
  /** Conversations, latest change first. */
  conversations: Conversation[];
  /** The `before` of the next page. Absent: this is the last page. */
  older?: string;
}

export interface ConversationValue {
  /** The conversation in its present state. */
  conversation: Conversation;
}

export interface PromptedValue {
  /** Id of the started turn. Absent: the prompt is queued. */
  turn?: string;
  /** Id of the queued prompt. Absent: the turn started. */
  queued?: string;
}

export interface AskValue {
  /** The answered request in its present state. */
  ask: Ask;
}

export interface SearchValue {
  /** The newest match of each conversation, newest conversation first. */
  hits: SearchHit[];
}

export interface KeptSessionsValue {
  /** Sessions without a conversation, newest first. */
  sessions: KeptSession[];
}

export interface FilesValue {
  /** Paths relative to the folder, best match first. */
  paths: string[];
  /** False: the folder has more files than the search read. */
  all: boolean;
}

export interface MemoriesValue {
  /** Memories, best match or newest first. */
  memories: Memory[];
  /** The `before` of the next page. Absent: this is the last page. */
  next?: string;
}

export interface UsageValue {
  /** Present day of the gateway, as in `spent`. */
  today: string;
  /** Use by day and conversation, oldest day first. */
  spent: SpentOn[];
  /** Limits of use. A reached limit holds turns back. */
  limits: SpendingLimits;
}

export interface PushValue {
  /** Public key of the gateway for `subscribe` (RFC 8292): base64url of 65 bytes. */
  public_key: string;
  /** Subscribed browsers, oldest first. */
  browsers: PushBrowser[];
}

export interface McpServersValue {
  /** All servers by name. */
  servers: McpServerValue[];
}

export interface McpChangedValue {
  /** After login: the address for the person's browser. */
  login_page?: string;
}

export interface ModelsValue {
  /** Known vendors and local servers. */
  vendors: ModelVendor[];
  /** All stored connections of the gateway. */
  connections: ModelConnection[];
  /** Models found without a stored connection, best first. Only in the answer to `models`. */
  found: FoundModel[];
  /** Setting with precedence over connections, for people. Empty: none. */
  fixed_by: string;
}

export interface ModelIds {
  /** Ids of the models of the server. */
  ids: string[];
}

export interface TestedModel {
  /** Milliseconds from the request to the end of the answer. */
  latency_ms: number;
  /** The server's name of the model. */
  model: string;
}

export interface SetupValue {
  /** Known agents without a program, and agents without a sign-in: neither a file of credentials nor a variable with a key exists. Both kinds may still work. */
  agents: AgentSetup[];
  /** Existing folders of recent conversations, newest first, at most 8. */
  folders: string[];
}

export interface SearchHit {
  /** Id of the conversation with the text. */
  conversation: string;
  /** Number of the event at the beginning of the text. */
  seq: number;
  /** One line of text around the words. */
  snippet: string;
}

export interface KeptSession {
  /** The agent's id of the session. */
  id: string;
  /** Title of the session. May be empty. */
  title: string;
  /** Time of the last change, RFC 3339. Empty: the agent does not report the time. */
  updated_at: string;
}

export interface Memory {
  /** Id of the memory. */
  id: string;
  /** The remembered text. */
  text: string;
  /** Category of the memory. Unknown categories of an agent become other. */
  category: Category;
  /** Importance from 0 to 1. */
  importance: number;
  /** Origin of the memory, such as agent, manual or import. */
  source: string;
  /** Id of the conversation that created the memory. The conversation may be deleted. */
  conversation?: string;
  /** Number of the event that created the memory. */
  event?: number;
  /** Time of creation, RFC 3339. Empty: the agent does not report the time. */
  created_at: string;
  /** With a search: similarity from 0 to 1. A match has at least 0.7. */
  score?: number;
  /** With a search: kind of the match, keyword, vector or both. */
  matched?: string;
}

export interface PushBrowser {
  /** Id of the browser, equal for equal endpoints. */
  id: string;
  /** Browser and operating system, for people. */
  name: string;
  /** Host name of the push service. */
  service: string;
  /** Time of the subscription, RFC 3339 in UTC. */
  created_at: string;
  /** Time of the last accepted message, RFC 3339 in UTC. Absent: no message yet. */
  told_at?: string;
}

export interface McpServerValue {
  /** Name of the server. */
  name: string;
  /** State of the connection: connected, connecting, failed or paused. */
  state: string;
  /** Address without its query, or the name of the program. */
  address: string;
  /** True: added on a page or by a command, and removable there. */
  stored: boolean;
  /** Names of the tools as models see them. */
  tools: string[];
  /** Reason for the state failed, and left out tools. Absent: no problem. */
  problem?: string;
  /** Login at the server: none (not possible), missing, waiting or present. */
  login: string;
  /** Reason for the failure of the last login. Absent: no failure. */
  login_problem?: string;
  /** Last log lines, oldest first. Only for callers with the permission `administer`. */
  log?: string[];
}

export interface ModelVendor {
  /** Id of the vendor. */
  id: string;
  /** Name for people. */
  name: string;
  /** Address of the API. Empty: the person gives an address. */
  url: string;
  /** Protocol of the API: openai or anthropic. */
  dialect: string;
  /** Whether the vendor answers only with a key. */
  needs_key: boolean;
}

export interface ModelConnection {
  /** Name of the connection. */
  name: string;
  /** Id of the vendor. */
  vendor: string;
  /** Address of the API. */
  url: string;
  /** Protocol of the API: openai or anthropic. */
  dialect: string;
  /** Id of the model. Empty: the default of the server. */
  model: string;
  /** Whether a key is stored. No message contains the key. */
  has_key: boolean;
  /** Whether the built-in agent uses this connection. */
  used: boolean;
}

export interface FoundModel {
  /** Id of the vendor. */
  vendor: string;
  /** Address of the API. */
  url: string;
  /** Ids of the models of a server on the gateway's machine. */
  models: string[];
  /** Name of the gateway's environment variable with a key. Empty: none. */
  key_variable: string;
}

export interface AgentSetup {
  /** Id of the agent. */
  id: string;
  /** Name for people. */
  name: string;
  /** False: the gateway's PATH has no program of the agent. */
  installed: boolean;
  /** Command for a terminal: installs the agent, or signs in if the agent is installed. */
  command: string;
}

/** What `done` carries, by the `type` of the request. */
export interface RequestValues {
  open: OpenedValue;
  older: OlderValue;
  conversations: ConversationsValue;
  get: ConversationValue;
  close: undefined;
  new: ConversationValue;
  prompt: PromptedValue;
  withdraw: undefined;
  stop: undefined;
  go_on: undefined;
  restart: undefined;
  look_for_agents: undefined;
  answer: AskValue;
  reask: PromptedValue;
  set: ConversationValue;
  set_option: ConversationValue;
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
  mcp_servers: McpServersValue;
  mcp_change: McpChangedValue;
  looking: undefined;
  models: ModelsValue;
  list_models: ModelIds;
  test_model: TestedModel;
  save_model: ModelsValue;
  remove_model: ModelsValue;
  setup: SetupValue;
}

// What the page and its host say to each other: JSON objects, one per WebSocket text frame.
//
// The host keeps all state. After `ready` it sends one `snapshot`; from then on every change is a `delta` whose `seq`
// counts up by one per connection. A gap means that something was lost: send `ready` again and start from the new snapshot.
// The transcript of a conversation is a fold over its events, which are numbered by `seq` inside the conversation, never
// change once written, and can be asked for from any cursor on.

export type Mode = 'default' | 'autoEdit' | 'yolo' | 'plan' | 'smart';
export type ConversationState = 'idle' | 'running' | 'waiting';

export interface Conversation {
  id: string;
  title: string;
  agent: string;            // AgentInfo.id
  folder: string;           // absolute path
  mode: Mode;
  model: string;            // '' = the agent's default
  think: boolean;
  state: ConversationState;
  open_asks: number;
  queued: QueuedPrompt[];   // prompts that wait for the running turn
  last_seq: number;
  created_at: string;       // RFC 3339, UTC
  updated_at: string;
  via?: string;             // a program began it for one request ('http'); absent: a person did
}
export interface QueuedPrompt { id: string; text: string; attachments?: Attachment[] }

export interface AgentInfo {
  id: string;
  name: string;
  state: 'ready' | 'starting' | 'down';
  detail: string;
  modes: Mode[];
  models: string[];
  scripted: boolean;
  media_types?: string[];   // what it can be shown beside words: 'image/png', 'text/*'; absent: it does not say
}
export interface ServiceInfo { name: string; state: 'ready' | 'starting' | 'down'; detail: string }
export interface Rule { id: string; effect: 'allow' | 'ask' | 'deny'; label: string; created_at: string }

// What came with a prompt beside its words. Events name it; its bytes are fetched by its id: GET /attachments/ID, with the token.
export interface Attachment { id: string; media_type: string; name: string; bytes: number; url?: string }  // url: where it lies, when it was not sent itself
export interface AttachedFile { name: string; media_type: string; data: string }  // base64
export interface AttachmentLimits {
  files: number;            // with one prompt
  bytes: number;            // of all its files together
  picture_bytes: number;    // of each file of a type image/…
  media_types: string[];    // what agents can be shown that do not say it themselves
}

export type AskKind = 'permission' | 'question' | 'plan';
export type AskState = 'open' | 'answered' | 'expired' | 'cancelled' | 'orphaned';
export interface AskOption { id: string; label: string; kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'choice' | 'feedback'; dangerous: boolean }
export interface Question { header: string; question: string; multiple: boolean; options: { label: string; description: string }[] }
export interface Ask {
  id: string;
  conversation: string;
  kind: AskKind;
  call?: string;            // the tool call that waits for it
  tool?: string;
  title: string;            // one line: the path, the command
  why: string;              // who wants what, where
  detail?: string;          // the full command or text that will be used
  diff?: Diff;
  questions?: Question[];
  plan?: string;            // markdown
  options: AskOption[];     // in the agent's order; empty for questions
  digest: string;           // goes back with the answer: an answer counts only for exactly what was shown
  state: AskState;
  chosen?: string;          // option id
  text?: string;            // feedback or note
  by?: string;              // 'person', 'rule …', 'expiry'
  created_at: string;
}
export interface Diff { path: string; before?: string; after?: string }  // before absent: new file; after absent: deleted
export interface PlanEntry { content: string; status: 'pending' | 'in_progress' | 'completed'; priority: 'high' | 'medium' | 'low' }

// ---- memory: the host has it when its capabilities name 'memory' ---------------------------------------------------

export type Category = 'preference' | 'decision' | 'fact' | 'entity' | 'other';
export interface Memory {
  id: string;
  text: string;
  category: Category;
  importance: number;       // 0 to 1
  source: string;           // 'agent', 'manual', 'import', …
  conversation?: string;    // where it was said, if that is known; it may be gone
  event?: number;           // the message in it
  created_at: string;       // '' = the agent does not tell
  score?: number;           // of a search: 0 to 1
  matched?: string;         // 'keyword', 'vector', 'both'
}
export interface MemoriesValue { memories: Memory[]; next?: string }

// ---- events -------------------------------------------------------------------------------------------------------

interface EventBase { seq: number; time: string }
export type Event = EventBase & (
  | { kind: 'turn_start'; turn: string }
  | { kind: 'user_message'; turn: string; text: string; attachments?: Attachment[] }
  | { kind: 'text'; text: string }                       // a piece: append to the text before it
  | { kind: 'thinking_start' } | { kind: 'thinking_content'; text: string } | { kind: 'thinking_end'; duration_ms: number }
  | { kind: 'tool_start'; call: string; tool: string; title: string; input: unknown; parent?: string }
  | { kind: 'tool_output'; call: string; text: string; progress?: boolean }  // a piece: append
  | { kind: 'tool_end'; call: string; state: 'done' | 'failed' | 'rejected' | 'cancelled'; diff?: Diff }
  | { kind: 'tool_confirmation'; ask: Ask } | { kind: 'user_question'; ask: Ask } | { kind: 'plan_approval'; ask: Ask }
  | { kind: 'ask_settled'; ask: string; state: AskState; chosen?: string; text?: string; by: string }
  | { kind: 'plan'; entries: PlanEntry[] }
  // of one model call: the page adds up what a turn brings
  | { kind: 'usage'; input_tokens: number; output_tokens: number; cost?: number }
  | { kind: 'mode'; mode: Mode }
  | { kind: 'error'; code: string; message: string; detail: string; retryable: boolean }
  | { kind: 'turn_end'; turn: string; stop_reason: 'end_turn' | 'max_tokens' | 'refusal' | 'cancelled' | 'max_turns' | 'error'; duration_ms: number });

// ---- host -> page -------------------------------------------------------------------------------------------------

export type HostMessage =
  | { type: 'snapshot'; seq: number; version: string; capabilities: string[]; home: string; default_folder: string; attachment_limits: AttachmentLimits; agents: AgentInfo[]; services: ServiceInfo[]; conversations: Conversation[]; asks: Ask[]; rules: Rule[] }
  | { type: 'delta'; seq: number; ops: Op[] }
  | { type: 'done'; request: string; value?: unknown }
  | { type: 'failed'; request: string; code: string; message: string };

export type Op =
  | { op: 'conversation'; conversation: Conversation }   // new or changed
  | { op: 'conversation_removed'; id: string }
  | { op: 'events'; conversation: string; events: Event[] } // only for conversations that this page has opened
  | { op: 'ask'; ask: Ask }                              // new or changed; open asks of all conversations
  | { op: 'rule'; rule: Rule } | { op: 'rule_removed'; id: string }
  | { op: 'agent'; agent: AgentInfo }
  | { op: 'service'; service: ServiceInfo };

// ---- page -> host: every message but `ready` carries a `request` and is answered by one `done` or `failed` -----------

export type PageMessage = { type: 'ready' } | (PageRequest & { request: string });
export type PageRequest =
  | { type: 'open'; conversation: string; after: number; limit?: number } // done.value: {events, last_seq, first_seq}; at most the newest `limit` (default 2,000) after the cursor; live events follow as deltas
  | { type: 'older'; conversation: string; before: number; limit?: number } // done.value: {events, first_seq}; for scrolling back
  | { type: 'close'; conversation: string }
  | { type: 'new'; agent: string; folder: string; mode?: Mode; model?: string } // done.value: {conversation}
  | { type: 'prompt'; conversation: string; text: string; attachments?: AttachedFile[] } // done.value: {turn} or {queued}
  | { type: 'withdraw'; conversation: string; queued: string }
  | { type: 'stop'; conversation: string }
  | { type: 'go_on'; conversation: string }                             // begins with what the queue held back after a stop, an error or a restart
  | { type: 'answer'; ask: string; digest: string; option?: string; text?: string; answers?: string[][] } // questions: `answers` has one list per question; option 'decline' alone declines
  | { type: 'reask'; ask: string }                                      // an orphaned ask: resume and ask again
  | { type: 'set'; conversation: string; title?: string; mode?: Mode; model?: string; think?: boolean }
  | { type: 'delete'; conversation: string }
  | { type: 'revoke'; rule: string }
  | { type: 'memory_search'; query: string; category?: Category }         // done.value: MemoriesValue, the best first
  | { type: 'memory_list'; category?: Category; conversation?: string; before?: string; limit?: number } // done.value: MemoriesValue, the newest first; `before` is `next` of the page before
  | { type: 'memory_forget'; id: string };

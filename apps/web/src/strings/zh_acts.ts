// SPDX-License-Identifier: Apache-2.0
// Texts by id: acts, choices, tools, titles and reasons. An unknown id keeps the text of the gateway or of the agent.
const words: Record<string, ((value: string, yes: boolean) => string) | undefined> = {
  title: (value) => `标题改为“${value}”`,
  model: (value) => `模型：${value || '默认模型'}`,
  think: (_, yes) => yes ? '开启思考' : '关闭思考',
  archived: (_, yes) => yes ? '已归档' : '取消归档',
  access: (value) => value === 'team' ? '团队可参与' : value === 'view' ? '团队可查看' : '仅自己可见',
  stop: () => '停止了本轮',
  go_on: () => '让等待的消息继续',
  restart: () => '重新启动了智能体',
  withdraw: (value) => value ? `撤回了 ${value} 的一条等待的消息` : '撤回了一条等待的消息',
};

export function toldAct(what: string, value: string, by: string, text: string): string {
  const told = words[what]?.(value, value === 'true');
  return told ? (by ? `${by}：${told}` : told) : text;
}

const choices: Record<string, string | undefined> = {
  // of plans, by id and kind: an agent that gives a known id another effect keeps its own words
  'smart:allow_always': '批准，由它判断何时询问', 'default:allow_once': '批准，改动前询问', 'keep:reject_once': '继续规划', 'feedback:feedback': '修改计划',
  'approve:allow_once': '批准，改动前询问', 'approve_edits:allow_always': '批准，编辑不再询问', 'revise:feedback': '重新规划',
  // of limits, rounds of tools and lost sessions
  'once:allow_once': '继续一次', 'go_on:allow_once': '继续', 'stop:reject_once': '停止', 'new:allow_once': '开始新会话',
  // by kind
  allow_once: '允许一次', reject_once: '拒绝', reject_and_stop: '拒绝并停止',
};

export function optionLabel(choice: string, kind: string, what: string, command: boolean): string {
  const where = choice === 'allow_folder:allow_always' ? '此文件夹' : choice === 'allow_conversation:allow_always' ? '此对话' : '';
  if (where) return `在${where}中始终允许${what}${command ? '（仅限读取）' : ''}`;
  return choices[choice] ?? choices[kind] ?? '';
}

const tools: Record<string, string | undefined> = {
  read_file: '读取文件', edit_file: '编辑文件', write_file: '写入文件', list_files: '列出文件', find_files: '查找文件', search_files: '搜索文件',
  run_command: '运行命令', read: '读取', edit: '编辑', multiedit: '编辑', write: '写入', bash: '运行命令', shell: '运行命令', execute: '运行命令',
  glob: '查找文件', grep: '搜索', search: '搜索', fetch: '获取网页', webfetch: '获取网页', websearch: '搜索网页', delete: '删除', move: '移动', think: '思考',
};

export const toolLabel = (name: string): string => tools[name.toLowerCase()] ?? '';

/** By the ids of docs/policy.md. */
export const reasons: Record<string, string | undefined> = {
  memory_look: '查看记忆', memory_forget: '忘记的内容无法恢复', memory_wanted: '您的消息要求这样做', memory_keep: '保存记忆', memory_kept: '保存记忆前需要询问',
  question: '向您提问', placeless_read: '不读取文件的查看', unknown_place: '读取的位置未知', read_inside: '读取文件夹内的文件', read_outside: '读取文件夹外的文件',
  edit_outside: '修改文件夹外的文件', edit_inside: '修改文件夹内的文件', edits_asked: '修改前需要询问',
  commands: '运行命令', reading_command: '只读取的命令', commands_asked: '运行命令前需要询问',
  tool_outside: '工具会访问文件夹外的位置', tools: '使用工具', tools_asked: '工具的作用未知，使用前需要询问', plan_first: '计划获批之前不修改也不运行任何内容',
  rule: '规则：{0}', kept_back: '会读取规则保留的内容：{0}', nothing_decided: '此处不自动决定',
  git_runs: 'git 会运行其文件中指定的程序', start_up: '程序下次启动时会运行或信任此文件', agent_obeys: '编程智能体下次启动时会运行或遵循此文件',
  editor_runs: '编辑器会运行此文件的内容', tool_runs: '开发工具会直接运行此文件的内容，不再询问',
  word_nowhere: '`{0}` 的位置未知', word_outside: '`{0}` 位于文件夹外：{1}', word_folder: '`{0}` 是文件夹，其中可能有链接',
  program_of_folder: '`{0}` 会是文件夹中的程序 {1}', no_program: '没有程序 `{0}`', no_repository: '此文件夹本身不是仓库',
  repository_hook: '仓库有钩子：{0}', repository_unread: '无法读取仓库的配置', repository_sets: '仓库的配置设置了 {0}，可能启动程序或指向外部',
  words_lead_outside: '命令指向文件夹外', words_alone: '命令由智能体自行运行，只知道其文字', call_unclear: '从调用中无法得知位置',
  asks: '{0} 提问', plan_made: '{0} 制定了计划，等待您决定', plan_made_as: '{0} 制定了计划，等待您决定；将以 {1} 的身份工作', works_as: '以 {0} 的身份运行',
  own_words: '{0}', hook: '钩子要求询问：{0}', rounds: '智能体在本轮中已 {0} 次请求工具，可能仍在工作，也可能在原地打转',
  mcp_model: 'MCP 服务器 {0} 在 {1} 运行期间请求此操作，费用为一次模型回答的费用',
  session_lost: '{0} 无法继续之前的会话：{1}。新会话不知道之前的消息', folder_programs: '{0} 会直接启动这些程序，或将对话发送到这些地址，不再询问',
  limit_of_day: '已达到每天 {0} 的限额：已使用 {1}。消息正在等待；提高限额后或到第二天，会继续处理',
  limit_of_conversation: '已达到每个对话 {0} 的限额：已使用 {1}。消息正在等待；提高限额后，会继续处理',
};

const plan = '执行这个计划？';

/** Titles of the gateway's own requests, by the kind of the request, its tool or the id of its reason. */
const titles: Record<string, string | undefined> = {
  propose_plan: plan, plan_made: plan, plan_made_as: plan, limit: '用量已达上限', rounds: '继续使用工具？', session_lost: '开始新会话？',
  folder_programs: '允许使用此文件夹自带的程序？',
};

/** '' for a title of an agent. */
export const titleText = (...ids: (string | undefined)[]): string => ids.map((id) => titles[id ?? '']).find(Boolean) ?? '';

/** '' for an unknown code of an error. */
export const failureText = (code: string): string => code === 'interrupted' ? 'parlance 在本轮运行期间已结束。' : '';

/** '' for an unknown id. */
export function reasonText({ id, values, agent }: { id: string; values: readonly string[]; agent: string }, folder: string): string {
  const text = reasons[id]?.replace(/\{(\d)\}/g, (_, n) => values[n] ?? '');
  return text ? `${agent && `${agent} 请求在 ${folder} 中执行：`}${text}。` : '';
}

// SPDX-License-Identifier: Apache-2.0
// Words by id: acts, choices and tools. Ids that are not here keep the words of the gateway or of the agent.
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

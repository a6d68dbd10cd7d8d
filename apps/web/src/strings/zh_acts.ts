// What people did with a conversation; what only a newer gateway knows is said in its words.
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

export function told_act(what: string, value: string, by: string, text: string): string {
  const told = words[what]?.(value, value === 'true');
  return told ? (by ? `${by}：${told}` : told) : text;
}

import { expect, test, vi } from 'vitest';
import { OtherAgents } from './other_agents';

function window_with(script: string) {
  const terminals = new Map<string, string>();
  const logged: string[] = [];
  const agents = new OtherAgents(
    () => ({ command: process.execPath, args: ['-e', script], cwd: '/', env: {} }),
    { replace: (name, value) => terminals.set(name, value), delete: (name) => terminals.delete(name) },
    (line) => logged.push(line),
  );
  return { agents, terminals, logged };
}

test('terminals are told what it prints, until it ends', async () => {
  const { agents, terminals } = window_with("console.log('export CLAUDE_CODE_SSE_PORT=41\\nnonsense\\nexport ENABLE_IDE_INTEGRATION=true'); setInterval(() => {}, 1000)");
  agents.start();
  agents.start();
  await vi.waitFor(() => expect([...terminals]).toEqual([['CLAUDE_CODE_SSE_PORT', '41'], ['ENABLE_IDE_INTEGRATION', 'true']]));
  await agents.stop();
  expect([...terminals]).toEqual([]);
  await agents.stop();
});

test('one that crashes is started again, and one that keeps crashing is left alone', async () => {
  const { agents, terminals, logged } = window_with("console.log('export A=' + process.pid); setTimeout(() => process.exit(3), 20)");
  agents.start();
  await vi.waitFor(() => expect(logged.at(-1)).toBe('editor serve ended with code 3; it is left alone until the window is loaded again'), 15_000);
  expect(logged.length).toBe(4);
  expect([...terminals]).toEqual([]);
}, 20_000);

test('one that is not there is told', async () => {
  const logged: string[] = [];
  const agents = new OtherAgents(() => { throw new Error('This VSIX carries no parlance'); }, { replace() {}, delete() {} }, (line) => logged.push(line));
  agents.start();
  expect(logged).toEqual(['agents of others do not find this window: This VSIX carries no parlance']);
  await agents.stop();
});

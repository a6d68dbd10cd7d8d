// SPDX-License-Identifier: Apache-2.0
// The peer of bench_claude: the Claude agent SDK as the host of the scripted agent.
//   node claude_host.mjs SDK AGENT lines|latency   processor time of 10,000 lines in ms, or percentiles of the agent
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [sdk, agent, what] = process.argv.slice(2);
const { query } = await import(pathToFileURL(path.join(sdk, 'sdk.mjs')).href);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parlance-bench-'));
const log = path.join(folder, 'log');
const env = {
  ...process.env,
  FAKE_SCRIPT: what === 'lines' ? 'flood' : 'latency',
  FAKE_LOG: log,
  FAKE_QUIET: '1',
  FAKE_N: '10000',
};
const canUseTool = async (_, input) => ({ behavior: 'allow', updatedInput: input });
const options = {
  pathToClaudeCodeExecutable: agent,
  cwd: folder,
  env,
  settingSources: [],
  includePartialMessages: true,
  canUseTool,
};
let begun;
let lines = 0;
for await (const message of query({ prompt: 'go', options })) {
  begun ??= process.cpuUsage();
  if (message.type === 'stream_event') ++lines;
  if (message.type === 'result') break;
}
if (what === 'lines') {
  if (lines !== 10000) throw new Error(`${lines} lines arrived`);
  const used = process.cpuUsage(begun);
  console.log(`lines ${lines} cpu_ms ${((used.user + used.system) / 1000).toFixed(2)}`);
} else {
  console.log(`latency ${fs.readFileSync(`${log}.latency`, 'utf8')}`);
}
fs.rmSync(folder, { recursive: true, force: true });
process.exit(0);

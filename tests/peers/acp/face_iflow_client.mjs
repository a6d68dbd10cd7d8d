// The real iFlow SDK (0.1.2) as the client of `parlance serve-acp --iflow --port N`, many turns in a row: it loses frames that come too fast,
// and then waits for ever. Prints a line for each turn that ended, and "end".
//   SDK=…/node_modules URL=ws://… WORK=… ROUNDS=50 node face_iflow_client.mjs
import { pathToFileURL } from 'node:url';

const { IFlowClient } = await import(pathToFileURL(`${process.env.SDK}/@iflow-ai/iflow-cli-sdk/dist/index.mjs`).href);
const rounds = Number(process.env.ROUNDS ?? '50');
// It looks whether somebody listens at the url, and starts nothing then; told to start nothing, it forgets the url.
const client = new IFlowClient({
  url: process.env.URL, autoStartProcess: true, cwd: process.env.WORK, timeout: 60_000, permissionMode: 'auto', logLevel: 'ERROR',
  fileAccess: true });
await client.connect();

async function turn(words) {
  await client.sendMessage(words);
  let text = '';
  const tools = [];
  for await (const message of client.receiveMessages()) {
    if (message.type === 'assistant' && message.chunk?.text) text += message.chunk.text;
    if (message.type === 'tool_call') tools.push(message.status);
    if (message.type === 'error') throw new Error(message.message);
    if (message.type === 'task_finish') return { stop: message.stopReason, text, tools };
  }
  throw new Error('no end');
}

const plays = ['markdown', 'write note.txt hello', 'ask', 'long 400', 'run echo hello', 'read note.txt'];
for (let i = 0; i < rounds; ++i) {
  const words = plays[i % plays.length];
  const { stop, text, tools } = await turn(words);
  const whole = words !== 'long 400' || text.split(/\s+/).length >= 400;
  console.log(stop === 'end_turn' && whole ? `ok ${i}` : `NOT ${i} ${words}: ${stop} ${text.length} ${tools}`);
}
console.log('end');
process.exit(0);

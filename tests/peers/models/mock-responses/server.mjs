#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// A deterministic stand-in for OpenAI's Responses API, streaming only, for Codex. Node 18 or newer, no packages, loopback only.
//   node server.mjs [--port N] [--bodies FILE]      prints one line: where it listens
// --bodies: a line for each request, its path and its body.
// Lines `@mock VERB JSON` of the last user message that has some are its script, one line for each answer of the turn:
//   tool {"name","args"}      a function call; "namespace": of a tool of an MCP server
//   custom {"name","input"}   a call of a custom tool (apply_patch)
//   echo                      quotes the results of the tools
//   text {"text"}             words
//   slow {"chunks","delay_ms"}  words w0 to w(chunks - 1), with pauses
// Past the end of the script the answer is `done`, without a script `ok`.
import fs from 'node:fs';
import http from 'node:http';

let serial = 0;
const nextId = (prefix) => `${prefix}_${++serial}`;
const textsOf = (item) =>
  typeof item.content === 'string' ? [item.content] : (item.content ?? []).map((part) => part.text ?? '');
const isOfModel = (item) =>
  ['function_call', 'custom_tool_call', 'reasoning'].includes(item.type) || item.role === 'assistant';

function stepsIn(item) {
  const lines = textsOf(item).flatMap((text) => text.split('\n'));
  return lines.flatMap((line) => {
    const found = /^\s*@mock\s+(\w+)\s*(.*)$/.exec(line);
    return found ? [{ verb: found[1], given: found[2] ? JSON.parse(found[2]) : {} }] : [];
  });
}

/** The step to play is the number of answers of the model since the script came. */
function stepFor(items) {
  const at = items.findLastIndex((item) => item.role === 'user' && stepsIn(item).length > 0);
  if (at < 0) return { verb: 'text', given: { text: 'ok' } };
  const since = items.slice(at + 1);
  const answers = since.filter((item, i) => isOfModel(item) && !(i > 0 && isOfModel(since[i - 1]))).length;
  return stepsIn(items[at])[answers] ?? { verb: 'text', given: { text: 'done' } };
}

function itemFor({ verb, given }, items) {
  if (verb === 'tool')
    return {
      type: 'function_call',
      id: nextId('fc'),
      call_id: nextId('call'),
      name: given.name,
      ...(given.namespace ? { namespace: given.namespace } : {}),
      arguments: JSON.stringify(given.args),
      status: 'completed',
    };
  if (verb === 'custom')
    return {
      type: 'custom_tool_call',
      id: nextId('ctc'),
      call_id: nextId('call'),
      name: given.name,
      input: given.input,
      status: 'completed',
    };
  const results = items
    .filter((item) => /_output$/.test(item.type ?? ''))
    .slice(-1)
    .map((item) => item.output);
  const slow = () => Array.from({ length: given.chunks }, (_, i) => `w${i} `).join('');
  const text = verb === 'echo' ? `ECHO ${JSON.stringify(results)}` : verb === 'slow' ? slow() : given.text;
  return {
    type: 'message',
    id: nextId('msg'),
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
}

function* eventsOf(id, item, pieces) {
  const response = (status, output) => ({
    response: {
      id,
      object: 'response',
      status,
      output,
      usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    },
  });
  yield ['response.created', response('in_progress', [])];
  yield ['response.output_item.added', { output_index: 0, item: { ...item, status: 'in_progress' } }];
  if (item.type === 'message')
    for (const delta of item.content[0].text.match(pieces))
      yield ['response.output_text.delta', { item_id: item.id, output_index: 0, content_index: 0, delta }];
  yield ['response.output_item.done', { output_index: 0, item }];
  yield ['response.completed', response('completed', [item])];
}

const bodies = process.argv.indexOf('--bodies');
const server = http.createServer(async (request, response) => {
  let raw = '';
  for await (const piece of request.setEncoding('utf8')) raw += piece;
  if (request.method !== 'POST' || !request.url.endsWith('/responses')) return response.writeHead(404).end('{}');
  if (bodies > 0) fs.appendFileSync(process.argv[bodies + 1], `${request.url}\t${raw}\n`);
  const items = JSON.parse(raw).input ?? [];
  const step = stepFor(items);
  const pause = step.given.delay_ms ?? 0;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [type, data] of eventsOf(
    nextId('resp'),
    itemFor(step, items),
    step.verb === 'slow' ? /w\d+ /g : /.+/gsu,
  )) {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    if (pause > 0 && type.endsWith('delta')) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  response.end();
});
const port = process.argv.indexOf('--port');
server.listen(port < 0 ? 0 : Number(process.argv[port + 1]), '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`),
);

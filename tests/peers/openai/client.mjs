// SPDX-License-Identifier: Apache-2.0
// A program with the official OpenAI client, used with our gateway. Run by openai_peer_test: BASE_URL, TOKEN and OPENAI (the package's
// folder) come from the environment. Each check prints a line, and the exit code tells whether all passed.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { default: OpenAI } = await import(pathToFileURL(join(process.env.OPENAI, 'index.mjs')));
const client = new OpenAI({ baseURL: process.env.BASE_URL, apiKey: process.env.TOKEN, maxRetries: 2 });
const user = (content) => [{ role: 'user', content }];
const readTool = {
  type: 'function',
  function: {
    name: 'read',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
};

const checks = {
  async answers_at_once() {
    const answer = await client.chat.completions.create({ model: 'parlance', messages: user('echo hello') });
    assert.equal(answer.object, 'chat.completion');
    assert.match(answer.id, /^chatcmpl-/);
    assert.equal(answer.choices[0].message.content, 'hello');
    assert.equal(answer.choices[0].finish_reason, 'stop');
    assert.equal(answer.usage.total_tokens, answer.usage.prompt_tokens + answer.usage.completion_tokens);
  },

  async streams_pieces() {
    const stream = await client.chat.completions.create({
      model: 'parlance',
      messages: user('echo one two three'),
      stream: true,
      stream_options: { include_usage: true },
    });
    const pieces = [];
    let usage, finish;
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content) pieces.push(chunk.choices[0].delta.content);
      finish = chunk.choices[0]?.finish_reason ?? finish;
      usage = chunk.usage ?? usage;
    }
    assert.equal(pieces.join(''), 'one two three');
    assert.equal(finish, 'stop');
    assert.equal(usage.completion_tokens, 3);
  },

  // The library puts the pieces together itself and is strict about their order.
  async folds_a_stream_with_tool_calls() {
    const runner = client.chat.completions.stream({
      model: 'parlance',
      messages: user('read a.txt'),
      tools: [readTool],
    });
    const completion = await runner.finalChatCompletion();
    const [call] = completion.choices[0].message.tool_calls;
    assert.equal(completion.choices[0].finish_reason, 'tool_calls');
    assert.equal(call.function.name, 'read');
    assert.deepEqual(JSON.parse(call.function.arguments), { path: 'a.txt' });
  },

  async runs_tools_until_there_is_an_answer() {
    for (const stream of [false, true]) {
      const seen = [];
      const tools = [
        {
          ...readTool,
          function: {
            ...readTool.function,
            parse: JSON.parse,
            function: ({ path }) => {
              seen.push(path);
              return 'the secret';
            },
          },
        },
      ];
      const runner = client.chat.completions.runTools({
        model: 'parlance',
        messages: user('read a.txt'),
        tools,
        stream,
      });
      assert.equal(await runner.finalContent(), 'read: the secret');
      assert.deepEqual(seen, ['a.txt']);
    }
  },

  async lists_models() {
    const ids = [];
    for await (const model of client.models.list()) ids.push(model.id);
    assert.deepEqual(ids, ['parlance', 'rehearsal', 'scripted']);
    for (const id of ids) assert.equal((await client.models.retrieve(id)).id, id);
    const unknown = (error) =>
      error instanceof OpenAI.NotFoundError && error.code === 'model_not_found' && /gpt-9/.test(error.message);
    await assert.rejects(client.models.retrieve('gpt-9'), unknown);
    for (const stream of [false, true])
      await assert.rejects(
        client.chat.completions.create({ model: 'gpt-9', messages: user('echo x'), stream }),
        unknown,
      );
  },

  // The agent runs its own tools for clients without tools, and the answer contains its text from before and after.
  async gets_an_agent_with_its_tools() {
    const answer = await client.chat.completions.create({ model: 'scripted', messages: user('look') });
    assert.equal(answer.choices[0].message.content, 'I look.\n\nIt says secret.');
    assert.equal(answer.choices[0].finish_reason, 'stop');
    assert.equal(answer.choices[0].message.tool_calls, undefined);
    const completion = await client.chat.completions
      .stream({ model: 'scripted', messages: user('look') })
      .finalChatCompletion();
    assert.equal(completion.choices[0].message.content, 'I look.\n\nIt says secret.');
    await assert.rejects(
      client.chat.completions.create({ model: 'scripted', messages: user('look'), tools: [readTool] }),
      (error) => error instanceof OpenAI.BadRequestError && error.param === 'tools',
    );
  },

  async sends_pictures_and_files() {
    const answer = await client.chat.completions.create({
      model: 'parlance',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'attached' },
            {
              type: 'image_url',
              image_url: { url: `data:image/png;base64,${Buffer.from('GIF8').toString('base64')}` },
            },
            {
              type: 'file',
              file: {
                filename: 'a.pdf',
                file_data: `data:application/pdf;base64,${Buffer.from('PDF').toString('base64')}`,
              },
            },
          ],
        },
      ],
    });
    assert.equal(answer.choices[0].message.content, 'image/gif GIF8, application/pdf a.pdf PDF');
    await assert.rejects(
      client.chat.completions.create({
        model: 'parlance',
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }] }],
      }),
      (error) =>
        error instanceof OpenAI.BadRequestError &&
        error.param === 'messages[0].content[0].image_url.url' &&
        /data: URL/.test(error.message),
    );
  },

  async embeds() {
    const floats = await client.embeddings.create({
      model: 'any',
      input: ['green tea', 'black coffee'],
      encoding_format: 'float',
    });
    const decoded = await client.embeddings.create({ model: 'any', input: 'green tea' }); // the library asks for base64 by itself
    assert.equal(floats.data.length, 2);
    assert.equal(floats.data[0].embedding.length, decoded.data[0].embedding.length);
    assert.ok(floats.data[0].embedding.every((number, i) => Math.abs(number - decoded.data[0].embedding[i]) < 1e-6));
    await assert.rejects(
      client.embeddings.create({ model: 'any', input: 'x', dimensions: 3 }),
      (error) => error instanceof OpenAI.BadRequestError && error.param === 'dimensions',
    );
  },

  async knows_our_errors() {
    const stranger = new OpenAI({ baseURL: process.env.BASE_URL, apiKey: 'wrong' });
    await assert.rejects(
      stranger.models.list(),
      (error) => error instanceof OpenAI.AuthenticationError && error.code === 'token_wrong',
    );
    await assert.rejects(
      client.chat.completions.create({ model: 'parlance', messages: [] }),
      (error) => error instanceof OpenAI.BadRequestError && error.param === 'messages',
    );
    await assert.rejects(
      client.chat.completions.create({ model: 'parlance', messages: user('fail') }),
      (error) => error.status === 502 && /told to fail/.test(error.message),
    );
    await assert.rejects(
      client.chat.completions.create({ model: 'parlance', messages: user('fail'), stream: true }),
      (error) => error.status === 502,
    );
    const broken = await client.chat.completions.create({ model: 'parlance', messages: user('break'), stream: true });
    await assert.rejects(async () => {
      for await (const _ of broken);
    }, /told to break/);
  },

  async stops_reading() {
    const stream = await client.chat.completions.create({ model: 'parlance', messages: user('hang'), stream: true });
    for await (const chunk of stream) {
      assert.equal(chunk.choices[0].delta.content, 'and');
      break; // aborts the request
    }
  },
};

let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
    console.log(`ok ${name}`);
  } catch (error) {
    ++failed;
    console.log(`failed ${name}: ${error.stack}`);
  }
}
process.exit(failed ? 1 : 0);

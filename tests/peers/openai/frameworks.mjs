// SPDX-License-Identifier: Apache-2.0
// Vercel's AI SDK and LangChain ask our gateway for answers in a shape. BASE_URL, TOKEN and PACKAGES (node_modules) come from the
// environment. Prints "ok NAME" for each check.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const { BASE_URL, TOKEN, PACKAGES } = process.env;
const require = createRequire(path.join(PACKAGES, 'here.js'));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { generateObject, generateText, tool } = await load('ai');
const { createOpenAICompatible } = await load('@ai-sdk/openai-compatible');
const { ChatOpenAI } = await load('@langchain/openai');
const { z } = await load('zod');

const person = z.object({ name: z.string(), age: z.number().int() });
const expected = { name: 'Ann', age: 7 };
const sdk = createOpenAICompatible({
  name: 'parlance',
  baseURL: BASE_URL,
  apiKey: TOKEN,
  supportsStructuredOutputs: true,
})('parlance');
const plain = createOpenAICompatible({ name: 'parlance', baseURL: BASE_URL, apiKey: TOKEN })('parlance');
const chain = new ChatOpenAI({
  model: 'parlance',
  apiKey: TOKEN,
  temperature: 0,
  maxTokens: 100,
  configuration: { baseURL: BASE_URL },
  maxRetries: 0,
});

const checks = {
  async ai_sdk_generates_an_object() {
    const { object } = await generateObject({ model: sdk, schema: person, prompt: 'Who?', maxRetries: 0 });
    assert.deepEqual(object, expected);
  },
  async ai_sdk_generates_an_object_in_json_mode() {
    const { object } = await generateObject({ model: plain, schema: person, prompt: 'Who?', maxRetries: 0 });
    assert.deepEqual(object, expected);
  },
  async ai_sdk_forces_a_tool() {
    const { toolCalls } = await generateText({
      model: plain,
      prompt: 'Who?',
      maxRetries: 0,
      maxOutputTokens: 100,
      temperature: 0.5,
      toolChoice: 'required',
      tools: { person: tool({ inputSchema: person }) },
    });
    assert.deepEqual(
      toolCalls.map(({ input }) => input),
      [expected],
    );
  },
  async langchain_json_schema() {
    assert.deepEqual(
      await chain.withStructuredOutput(person, { name: 'person', method: 'jsonSchema' }).invoke('Who?'),
      expected,
    );
  },
  async langchain_json_mode() {
    assert.deepEqual(
      await chain.withStructuredOutput(person, { name: 'person', method: 'jsonMode' }).invoke('Who?'),
      expected,
    );
  },
  async langchain_function_calling() {
    assert.deepEqual(
      await chain.withStructuredOutput(person, { name: 'person', method: 'functionCalling' }).invoke('Who?'),
      expected,
    );
  },
};

for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
    console.log(`ok ${name}`);
  } catch (error) {
    console.log(`failed ${name}: ${error?.stack ?? error}`);
  }
}

// SPDX-License-Identifier: Apache-2.0
// The Claude agent SDK drives parlance serve-claude. Prints "ok NAME" for each passed check; any other line is a failure.
//
//   SDK: folder of the package   PARLANCE: our program   HOME, PARLANCE_*: of the test
import fs from 'node:fs';
import path from 'node:path';
import { base, check, collect, cwd, query, textOf, z } from './sdk_host_query.mjs';

// A single prompt, partial messages.
{
  const all = await collect(query({ prompt: 'long 20', options: { ...base, includePartialMessages: true } }));
  const result = all.at(-1);
  check(
    'one_turn',
    all[0].type === 'system' &&
      all[0].subtype === 'init' &&
      result.type === 'result' &&
      result.subtype === 'success' &&
      !result.is_error,
    all.map((m) => m.type),
  );
  const pieces = all
    .filter(
      (m) => m.type === 'stream_event' && m.event.type === 'content_block_delta' && m.event.delta.type === 'text_delta',
    )
    .map((m) => m.event.delta.text)
    .join('');
  check(
    'partial_messages',
    pieces.length > 0 &&
      pieces ===
        all
          .filter((m) => m.type === 'assistant')
          .map(textOf)
          .join(''),
    pieces,
  );

  // The same session once more.
  const again = await collect(query({ prompt: 'long 5', options: { ...base, resume: result.session_id } }));
  check('resume', again.at(-1).session_id === result.session_id && again.at(-1).subtype === 'success', again.at(-1));
}

// A tool with a request: allowed, then refused; and a hook that refuses.
{
  const asked = [];
  const canUseTool = async (tool, input) => {
    asked.push({ tool, input });
    return asked.length === 1
      ? { behavior: 'allow', updatedInput: input }
      : { behavior: 'deny', message: 'not this one' };
  };
  const all = await collect(query({ prompt: 'run touch made.txt', options: { ...base, canUseTool } }));
  check(
    'can_use_tool_allow',
    asked.length === 1 && fs.existsSync(`${cwd}/made.txt`) && all.at(-1).subtype === 'success',
    asked,
  );
  const no = await collect(query({ prompt: 'run touch other.txt', options: { ...base, canUseTool } }));
  check(
    'can_use_tool_deny',
    asked.length === 2 && !fs.existsSync(`${cwd}/other.txt`) && no.at(-1).permission_denials.length === 1,
    no.at(-1),
  );
  const seen = [];
  const hook = async (input) => {
    seen.push(input);
    return {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'the hook says no',
      },
    };
  };
  await collect(
    query({
      prompt: 'run touch hooked.txt',
      options: { ...base, canUseTool, hooks: { PreToolUse: [{ hooks: [hook] }] } },
    }),
  );
  check(
    'hooks',
    seen.length === 1 && seen[0].tool_name && asked.length === 2 && !fs.existsSync(`${cwd}/hooked.txt`),
    seen,
  );
}

// Several turns on a stream, modes, models, interrupt.
{
  let next;
  const prompts = (async function* () {
    const user = (text) => ({
      type: 'user',
      message: { role: 'user', content: text },
      parent_tool_use_id: null,
      session_id: '',
    });
    yield user('long 6');
    await new Promise((r) => {
      next = r;
    });
    yield user('long 7');
    await new Promise((r) => {
      next = r;
    });
    yield user('run sleep 600');
    await new Promise((r) => {
      next = r;
    });
  })();
  let results = 0;
  let modes;
  const q = query({
    prompt: prompts,
    options: {
      ...base,
      canUseTool: async (_, input) => {
        setTimeout(() => q.interrupt(), 300);
        return { behavior: 'allow', updatedInput: input };
      },
    },
  });
  const all = await collect(q, async (m) => {
    if (m.type !== 'result') return;
    if (++results === 1) {
      await q.setPermissionMode('acceptEdits');
      await q.setModel('rehearsal');
      modes = true;
    }
    next();
  });
  const ends = all.filter((m) => m.type === 'result');
  check(
    'several_turns',
    ends.length === 3 && ends[0].subtype === 'success' && ends[1].subtype === 'success',
    ends.map((e) => e.subtype),
  );
  check(
    'modes_and_models',
    modes === true &&
      all.some((m) => m.type === 'system' && m.subtype === 'init' && m.permissionMode === 'acceptEdits'),
    all.filter((m) => m.type === 'system'),
  );
  check('interrupt', ends[2]?.subtype === 'error_during_execution', ends[2]);
}
// A limit of turns: as many answers of the model, and then the result says so.
{
  const all = await collect(query({ prompt: 'go round and round', options: { ...base, maxTurns: 2 } }));
  const uses = all.filter((m) => m.type === 'assistant' && m.message.content.some((b) => b.type === 'tool_use')).length;
  const end = all.at(-1);
  check(
    'max_turns',
    uses === 2 &&
      end.subtype === 'error_max_turns' &&
      end.is_error &&
      end.num_turns === 3 &&
      end.errors[0] === 'Reached maximum number of turns (2)',
    { uses, end },
  );
  const enough = await collect(query({ prompt: 'go round and round', options: { ...base, maxTurns: 4 } }));
  check('max_turns_not_reached', enough.at(-1).subtype === 'success' && enough.at(-1).num_turns === 4, enough.at(-1));
}

// The available tools, by Claude Code's names or ours; a missing tool cannot be called.
{
  const toolsOf = (all) => all.find((m) => m.type === 'system' && m.subtype === 'init').tools.join();
  const canUseTool = async (_, input) => ({ behavior: 'allow', updatedInput: input });
  const some = await collect(
    query({
      prompt: 'run touch unoffered.txt',
      options: { ...base, canUseTool, tools: ['Read', 'Grep', 'edit_file'] },
    }),
  );
  check('tools', toolsOf(some) === 'Read,Grep,Edit' && !fs.existsSync(`${cwd}/unoffered.txt`), toolsOf(some));
  const none = await collect(query({ prompt: 'long 3', options: { ...base, tools: [] } }));
  const all = await collect(
    query({ prompt: 'long 3', options: { ...base, tools: { type: 'preset', preset: 'claude_code' } } }),
  );
  check('no_tools_and_all', toolsOf(none) === '' && toolsOf(all).includes('Bash'), [toolsOf(none), toolsOf(all)]);
}

// Further folders: their files are read without a question, files elsewhere are not.
{
  const folders = [`${cwd}/../more`, `${cwd}/../most`].map((p) => path.resolve(p));
  for (const folder of folders) {
    fs.mkdirSync(folder);
    fs.writeFileSync(`${folder}/note.txt`, `kept in ${folder}`);
  }
  const said = async (prompt, additionalDirectories) =>
    (await collect(query({ prompt, options: { ...base, additionalDirectories } }))).map(textOf).join('');
  const first = await said('read more', folders);
  const second = await said('read most', folders);
  check('add_dir', first.includes(`kept in ${folders[0]}`) && second.includes(`kept in ${folders[1]}`), [
    first,
    second,
  ]);
  const without = await said('read most', [folders[0]]);
  check('add_dir_of_others', !without.includes('kept in'), without);
  const told = await said('what were you told', folders);
  check(
    'add_dir_is_told',
    folders.every((folder) => told.includes(`\n${folder}`)),
    told,
  );
}

// Options without effect are reported; impossible options are refused.
{
  let told = '';
  const stderr = (text) => {
    told += text;
  };
  await collect(
    query({ prompt: 'long 3', options: { ...base, maxBudgetUsd: 1, betas: ['context-1m-2025-08-07'], stderr } }),
  );
  check('unkept_is_said', told.includes('knows no prices') && told.includes('--betas'), told);
  told = '';
  const outputFormat = {
    type: 'json_schema',
    schema: { type: 'object', properties: { a: { type: 'string', pattern: '(' } } },
  };
  try {
    await collect(query({ prompt: 'long 3', options: { ...base, outputFormat, stderr } }));
  } catch {
    told += ' ended';
  }
  check(
    'json_schema_of_no_use',
    told.includes('--json-schema: #/properties/a/pattern: the pattern "("') && told.includes('ended'),
    told,
  );
}

// An answer in the shape of a schema, here in zod's form.
{
  const schema = z.toJSONSchema(z.object({ name: z.string(), mail: z.email(), age: z.int().min(0).optional() }));
  const asked = [];
  const canUseTool = async (name, input) => {
    asked.push(name);
    return { behavior: 'allow', updatedInput: input };
  };
  const ask = async (prompt, env = {}) => {
    const all = await collect(
      query({
        prompt,
        options: { ...base, env: { ...base.env, ...env }, canUseTool, outputFormat: { type: 'json_schema', schema } },
      }),
    );
    const wrong = all
      .filter((m) => m.type === 'user')
      .flatMap((m) => m.message.content)
      .filter((b) => b.is_error)
      .map((b) => b.content);
    return { all, wrong, end: all.at(-1) };
  };
  const anne = { name: 'Anne', mail: 'anne@example.org' };
  const same = (end) => end.subtype === 'success' && JSON.stringify(end.structured_output) === JSON.stringify(anne);
  const one = await ask('who is it');
  check('structured_output', same(one.end) && one.end.result === 'That is who.' && asked.length === 0, one);
  check('structured_output_tool', one.all[0].tools.includes('StructuredOutput'), one.all[0].tools);
  const two = await ask('guess who');
  check(
    'structured_output_mended',
    same(two.end) && two.wrong.length === 1 && two.wrong[0].includes('/mail: expected a text matching the pattern'),
    two,
  );
  const three = await ask('talk about it');
  check('structured_output_asked_on', same(three.end), three);
  const none = await ask('never right', { MAX_STRUCTURED_OUTPUT_RETRIES: '2' });
  check(
    'structured_output_given_up',
    none.end.subtype === 'error_max_structured_output_retries' &&
      none.end.is_error &&
      none.wrong.length === 2 &&
      none.end.errors[0].includes('in 2 tries'),
    none,
  );
}

// The model's instructions before the conversation.
{
  const told = async (systemPrompt) =>
    (await collect(query({ prompt: 'what were you told', options: { ...base, systemPrompt } }))).map(textOf).join('');
  const own = await told(undefined);
  check('own_instructions', own.includes('You are an agent. You work with a person'), own);
  const text = await told('You are a pirate.');
  check(
    'system_prompt',
    text.includes('You are a pirate.') &&
      !text.includes('You are an agent. You work') &&
      text.includes('Working folder'),
    text,
  );
  const list = await told(['You are a pirate.', '__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__', 'The sea is rough.']);
  check(
    'system_prompt_list',
    list.includes('You are a pirate.\n\nThe sea is rough.') && !list.includes('BOUNDARY'),
    list,
  );
  const preset = await told({ type: 'preset', preset: 'claude_code', append: 'Say arr.' });
  check('system_prompt_preset', preset.includes('You are an agent. You work') && preset.includes('Say arr.'), preset);
}

// A picture is passed on; for an unsupported file, both the model and the person receive a note.
{
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const prompts = (async function* () {
    yield {
      type: 'user',
      parent_tool_use_id: null,
      session_id: '',
      message: {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: dot } },
          { type: 'document', source: { type: 'base64', media_type: 'application/zip', data: dot } },
          { type: 'text', text: 'look at this' },
        ],
      },
    };
  })();
  const all = await collect(query({ prompt: prompts, options: base }));
  const said = all.map(textOf).join('');
  check(
    'images',
    said.includes('look at this') &&
      said.includes('(application/zip, 70 bytes), which cannot be shown to you') &&
      !said.includes('image/png'),
    said,
  );
  const notes = all.filter((m) => m.type === 'system' && m.subtype === 'informational');
  check('images_are_told', notes.length === 1 && notes[0].content.includes('could not be shown'), notes);
}

// Sessions: resumed, forked, continued, and rewound to a message. The model states the number of the answered message.
{
  const ask = async (options) => {
    const all = await collect(query({ prompt: 'how many', options: { ...base, ...options } }));
    return {
      said: all.map(textOf).join(''),
      id: all.at(-1).session_id,
      uuid: all.find((m) => m.type === 'assistant').uuid,
    };
  };
  const first = await ask({});
  const fork = await ask({ resume: first.id, forkSession: true });
  check('fork', first.said === 'first' && fork.said === 'second' && fork.id !== first.id, { first, fork });
  const named = '11111111-2222-4333-8444-555555555555';
  const own = await ask({ resume: first.id, forkSession: true, sessionId: named });
  check('fork_with_a_name', own.said === 'second' && own.id === named, own);
  const old = await ask({ resume: first.id });
  check('fork_leaves_the_old_one', old.said === 'second' && old.id === first.id, old);
  const again = await ask({ resume: fork.id });
  check('fork_goes_on', again.said === 'third' && again.id === fork.id, again);
  const newest = await ask({ continue: true });
  check('continue', newest.said === 'fourth' && newest.id === fork.id, newest);
  const elsewhere = `${cwd}/elsewhere`;
  fs.mkdirSync(elsewhere);
  const fresh = await ask({ continue: true, cwd: elsewhere });
  check('continue_is_of_the_folder', fresh.said === 'first' && fresh.id !== fork.id, fresh);
  const back = await ask({ resume: fork.id, resumeSessionAt: again.uuid, forkSession: true });
  check('fork_at_a_message', back.said === 'fourth' && back.id !== fork.id, back);
  const rewound = await ask({ resume: fork.id, resumeSessionAt: fork.uuid });
  const onward = await ask({ resume: fork.id });
  check('resume_at_a_message', rewound.said === 'third' && rewound.id === fork.id && onward.said === 'fourth', {
    rewound,
    onward,
  });
  let why = '';
  try {
    await ask({
      resume: fork.id,
      resumeSessionAt: named,
      stderr: (text) => {
        why += text;
      },
    });
  } catch {
    why += ' ended';
  }
  check('resume_at_an_unknown_message', why.includes('No message found') && why.includes('ended'), why);
}

await import('./sdk_host_mcp.mjs');
console.log('end');

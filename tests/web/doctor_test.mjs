// SPDX-License-Identifier: Apache-2.0
// The results of `parlance doctor` on the real program's page.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { contrastFaults } from './contrast.mjs';
import { closeBrowser, NOTHING, shot, withPageAt } from './page.mjs';
import { Parlance, program } from './parlance.mjs';

let parlance;
before(async () => {
  parlance = await Parlance.start({
    flags: ['--model-url', 'http://127.0.0.1:9/v1'],
    config: '[agents.nobody]\nname = "Nobody"\ncommand = ["there-is-no-such-program"]\n',
  });
});
after(async () => {
  await closeBrowser();
  await parlance?.clean();
});

const settings = { permissions: ['clipboard-read', 'clipboard-write'] };
const found = (page, name) => page.getByRole('region', { name }).getByRole('listitem');

test('findings are grouped, with remedies; the check runs again, and the result is copied as text', () =>
  withPageAt(
    parlance.url,
    async (page) => {
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByRole('button', { name: 'Check this installation' }).click();
      await page.getByRole('heading', { level: 1, name: 'Check-up' }).waitFor();
      await page.getByText('2 to fix').waitFor();
      await found(page, 'Other agents').filter({ hasText: 'to fix: agent nobody' }).getByText('→ install it').waitFor();
      await found(page, 'Language model').getByText('not reachable: GET http://127.0.0.1:9/v1/models').waitFor(); // set for `up` only
      await found(page, 'Storage').filter({ hasText: 'OK: conversations' }).waitFor();
      assert.match(
        await found(page, 'Services').filter({ hasText: 'gateway' }).innerText(),
        new RegExp(`answers on ${parlance.origin}/`),
      );
      await found(page, 'Services').filter({ hasText: 'embedding' }).getByText('answers on').waitFor();
      await found(page, 'Settings').filter({ hasText: 'configuration' }).first().waitFor();
      await shot(page, 'doctor');
      assert.deepEqual(await page.evaluate(contrastFaults), []);
      assert.equal(new URL(page.url()).hash, '#doctor=');

      await page.getByRole('button', { name: 'Copy as text' }).click();
      const text = await page.evaluate(() => navigator.clipboard.readText());
      assert.match(
        text,
        /^parlance \d[^]*BAD {2}agent nobody {7}no program "there-is-no-such-program"\n {26}-> install it\n[^]*2 to fix\.\n$/,
      );
      assert.ok(!text.includes(parlance.token), 'no secret is shown');

      await parlance.kill('agent');
      await page.getByRole('button', { name: 'Check again' }).click();
      await page.getByText('Looking …').waitFor();
      await page.getByText('2 to fix').waitFor();
    },
    { forgive: NOTHING, settings },
  ));

test('in Chinese all but what others say is Chinese', () =>
  withPageAt(
    parlance.url,
    async (page) => {
      await page.goto(`${parlance.url}&doctor=`);
      await page.getByText('2 项需要处理').waitFor();
      await found(page, '其他智能体')
        .filter({ hasText: '智能体 nobody' })
        .getByText('没有程序 “there-is-no-such-program”→ 请安装')
        .waitFor();
      await found(page, '语言模型').getByText('无法连接：GET http://127.0.0.1:9/v1/models').waitFor();
      await found(page, '服务').filter({ hasText: '网关' }).getByText('应答').waitFor();
      // Names of settings, files, programs and addresses stay English; two adjacent English words are an untranslated sentence.
      const said = (await page.locator('.doctor-page li').allInnerTexts()).filter(
        (text) => !text.includes('v1/models'),
      );
      assert.deepEqual(
        said.filter((text) =>
          /(?<![-/.\w])[a-z]{3,} [a-z]{3,}(?![-/.\w])/i.test(
            text.replace(/parlance (up|embed)|npm install|opencode auth login|Claude Code|Gemini CLI|Qwen Code/g, ''),
          ),
        ),
        [],
      );
    },
    { forgive: NOTHING, settings: { ...settings, locale: 'zh-CN' } },
  ));

test('the terminal prints the same for programs', async () => {
  const said = await promisify(execFile)(program, ['doctor', '--json', '--state', `${parlance.at}/state`], {
    cwd: parlance.folder,
    env: { HOME: parlance.at, XDG_CONFIG_HOME: `${parlance.at}/config`, PATH: process.env.PATH },
  }).catch((failed) => failed);
  const told = JSON.parse(said.stdout);
  const answer = await fetch(`${parlance.origin}/doctor`, { headers: { authorization: `Bearer ${parlance.token}` } });
  const overHttp = await answer.json();
  assert.deepEqual(Object.keys(overHttp), Object.keys(told));
  assert.deepEqual(
    overHttp.findings.filter((one) => one.group === 'agents'),
    told.findings.filter((one) => one.group === 'agents'),
  );
  assert.equal((await fetch(`${parlance.origin}/doctor`)).status, 401);
});

// SPDX-License-Identifier: Apache-2.0
// Attachments of a message: chosen, pasted, dropped; unsupported files are reported before sending; no file is lost.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { contrastFaults } from './contrast.mjs';
import { closeBrowser, composer, eventually, NOTHING, say, sendDraft, shot, withPage, withPageAt } from './page.mjs';
import { Parlance } from './parlance.mjs';

after(closeBrowser);

/** A PNG of one colour or, as `noise`, incompressible. */
function png(width, height, pixel) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc(body) >>> 0, body.length + 4);
    return out;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (width * 3 + 1));
  for (let y = 0; y < height; ++y)
    for (let x = 0; x < width * 3; ++x) rows[y * (width * 3 + 1) + 1 + x] = pixel(Math.floor(x / 3), y, x % 3);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
function crc(bytes) {
  let c = ~0;
  for (const byte of bytes) {
    c ^= byte;
    for (let k = 0; k < 8; ++k) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  }
  return ~c;
}
const BLUE = png(320, 200, (x, y, c) => (c === 2 ? 200 : Math.round((x + y) / 4)));
let seed = 1;
const NOISE = png(400, 300, () => (seed = (seed * 16807) % 2147483647) % 256);

const choose = (page, ...files) => page.locator('input[type=file]').setInputFiles(files);
const textFile = (name, text) => ({ name, mimeType: '', buffer: Buffer.from(text) });
const picture = (name, buffer = BLUE) => ({ name, mimeType: 'image/png', buffer });
const chips = (page) => page.locator('.composer .file');
const sent = (page) => page.locator('.item.user:not(.outgoing)').last();
const send = (page) => page.getByRole('button', { name: 'Send', exact: true });

/** Pastes or drops files like the browser. */
const handOver = (page, type, files) =>
  page.evaluate(
    ({ type, files }) => {
      const data = new DataTransfer();
      for (const [kind, text] of files.texts ?? []) data.setData(kind, text);
      for (const { name, media_type: mediaType, base64 } of files.files)
        data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name, { type: mediaType }));
      const at = document.querySelector('.composer textarea');
      const event =
        type === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true });
      (type === 'paste' ? at : document.querySelector('.frame')).dispatchEvent(event);
      return event.defaultPrevented;
    },
    { type, files },
  );
const onePicture = { files: [{ name: 'image.png', media_type: 'image/png', base64: BLUE.toString('base64') }] };

/** The picture is on the screen: its pixels were read, not only its place reserved. */
const seen = (page, scope) =>
  eventually(
    () =>
      scope
        .locator('.picture.there img')
        .evaluateAll((all) => all.length > 0 && all.every((img) => img.naturalWidth > 0)),
    'the pictures are there',
  );

test('a chosen picture and a text file are sent, shown, opened larger, and available after a reload', () =>
  withPage(async (page, host) => {
    await choose(page, picture('plan.png'), textFile('notes.rs', 'fn main() {}'));
    await chips(page).nth(1).waitFor();
    assert.deepEqual(await chips(page).locator('.file-name').allInnerTexts(), ['plan.png', 'notes.rs']);
    await shot(page, 'attach-draft');
    await say(page, 'hello, what is this?');
    const files = (await host.heard('prompt')).attachments;
    assert.deepEqual(
      files.map(({ name, media_type: mediaType }) => [name, mediaType]),
      [
        ['plan.png', 'image/png'],
        ['notes.rs', 'text/plain'],
      ],
    );
    assert.deepEqual(Buffer.from(files[0].data, 'base64'), BLUE);
    await seen(page, sent(page));
    assert.equal(await chips(page).count(), 0);
    await page.reload();
    await seen(page, sent(page));
    assert.equal(await sent(page).locator('.me').innerText(), 'hello, what is this?');
    await shot(page, 'attach-sent');

    await sent(page).getByRole('button', { name: 'Show plan.png' }).click();
    const viewer = page.getByRole('dialog', { name: 'plan.png' });
    assert.deepEqual(await viewer.locator('img').evaluate((img) => [img.naturalWidth, img.naturalHeight]), [320, 200]);
    await shot(page, 'attach-viewer');
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    const saved = page.waitForEvent('download');
    await sent(page)
      .getByRole('button', { name: /^Save notes\.rs/ })
      .click();
    assert.equal((await saved).suggestedFilename(), 'notes.rs');
    assert.equal(await readFile(await (await saved).path(), 'utf8'), 'fn main() {}');
  }));

test('a pasted picture is sent, even without a text', () =>
  withPage(async (page, host) => {
    await composer(page).waitFor();
    assert.equal(await handOver(page, 'paste', onePicture), true);
    await chips(page).first().waitFor();
    await sendDraft(page);
    assert.equal((await host.heard('prompt')).text, '');
    await seen(page, sent(page));
    // Spreadsheets put a picture of the cells beside their text.
    assert.equal(
      await handOver(page, 'paste', {
        ...onePicture,
        texts: [
          ['text/plain', '1\t2'],
          ['text/html', '<table>'],
        ],
      }),
      false,
    );
    assert.equal(await chips(page).count(), 0);
  }));

test('files may be dropped anywhere, and taken back', () =>
  withPage(async (page, host) => {
    await composer(page).waitFor();
    await handOver(page, 'dragover', onePicture);
    await page.getByText('Drop files to attach them').waitFor();
    await shot(page, 'attach-drop');
    await handOver(page, 'drop', onePicture);
    await chips(page).first().waitFor();
    assert.equal(await page.getByText('Drop files to attach them').count(), 0);
    await chips(page).first().getByRole('button', { name: 'Remove image.png' }).press('Enter');
    assert.equal(await chips(page).count(), 0);
    assert.equal(await composer(page).evaluate((e) => e === document.activeElement), true);
    await say(page, 'hello');
    assert.equal((await host.heard('prompt')).attachments, undefined);
  }));

test('an unsupported file gives the reason and the remedy before sending', () =>
  withPage(
    async (page, host) => {
      await choose(page, { name: 'all.zip', mimeType: 'application/zip', buffer: Buffer.from('PK\0\xff') });
      await page.getByText('Claude Code cannot read “all.zip”. Supported: PNG, JPEG, PDF and text').waitFor();
      await shot(page, 'attach-fault');
      await composer(page).fill('hello');
      await composer(page).press('Enter');
      assert.equal(await send(page).getAttribute('aria-disabled'), 'true');
      assert.equal(host.count('new'), 0);
      await choose(page, { name: 'big.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(200_001, 'x') });
      await page.getByText('“big.pdf” has 195 KiB, and a message may bring 195 KiB').waitFor();
      await choose(page, picture('torn.png', BLUE.subarray(0, 60)));
      await page.getByText('Claude Code cannot read “torn.png”.').waitFor();
      for (const name of ['all.zip', 'big.pdf', 'torn.png'])
        await page.getByRole('button', { name: `Remove ${name}` }).click();
      await choose(page, ...[1, 2, 3, 4, 5, 6].map((i) => textFile(`${i}.txt`, 'x')));
      await page.getByText('These are 6 files, and a message may bring 5.').waitFor();
      await page.getByRole('button', { name: 'Remove 6.txt' }).click();
      await send(page).click();
      assert.equal((await host.heard('prompt')).attachments.length, 5);
    },
    {
      prepare: (host) => {
        host.agents = [host.agents[1]];
      },
    },
  ));

test('an agent with a text-only model says so', () =>
  withPage(
    async (page, host) => {
      await choose(page, picture('a.png'));
      await chips(page).first().waitFor();
      assert.equal(await send(page).getAttribute('aria-disabled'), 'false');
      await page.getByLabel('Agent', { exact: true }).selectOption('claude');
      await page.getByText('The model of Claude Code reads text only.').waitFor();
      assert.equal(await send(page).getAttribute('aria-disabled'), 'true');
      await page.getByLabel('Agent', { exact: true }).selectOption('parlance');
      await send(page).click();
      await host.heard('prompt');
    },
    {
      prepare: (host) => {
        host.agents[1].media_types = [];
      },
    },
  ));

test('a too large picture is reduced', () =>
  withPage(async (page, host) => {
    assert.ok(NOISE.length > host.attachmentLimits.picture_bytes);
    await choose(page, picture('noise.png', NOISE));
    await page.getByText(/made smaller, was \d+ KiB/).waitFor();
    await say(page, 'hello');
    const [file] = (await host.heard('prompt')).attachments;
    assert.deepEqual([file.name, file.media_type], ['noise.jpg', 'image/jpeg']);
    const bytes = Buffer.from(file.data, 'base64');
    assert.ok(bytes.length <= host.attachmentLimits.picture_bytes);
    assert.equal(bytes.subarray(0, 3).toString('hex'), 'ffd8ff');
  }));

test('a draft keeps its files over a reload, and so does an unconfirmed message', () =>
  withPage(
    async (page, host) => {
      await page.locator('.conv').click();
      await choose(page, picture('kept.png'));
      await composer(page).fill('hello again');
      await chips(page).first().waitFor();
      await page.reload();
      await chips(page).first().waitFor();
      assert.equal(await composer(page).inputValue(), 'hello again');
      host.refusePrompts = 'the store is full';
      await sendDraft(page);
      await page.getByText('the store is full').waitFor();
      await page.locator('.outgoing .file-name', { hasText: 'kept.png' }).waitFor();
      await shot(page, 'attach-unsent');
      await page.getByRole('button', { name: 'Edit' }).click();
      await chips(page).first().waitFor();
      assert.equal(await page.locator('.outgoing').count(), 0);
      await sendDraft(page);
      await page.locator('.outgoing .file-name', { hasText: 'kept.png' }).waitFor(); // refused, or on its way
      await page.reload();
      await chips(page).first().waitFor();
      assert.equal(await composer(page).inputValue(), 'hello again');
      host.refusePrompts = '';
      await sendDraft(page);
      await seen(page, sent(page));
      assert.equal(await sent(page).locator('.me').innerText(), 'hello again');
      await page.reload();
      await seen(page, sent(page));
      assert.equal(await chips(page).count(), 0);
    },
    {
      prepare: (host) => {
        host.addConversation({ title: 'one' });
      },
    },
  ));

test('a queued message shows its files, and a retry sends the files again', () =>
  withPage(async (page, host) => {
    await say(page, 'slowly now');
    await page.getByText('First part,').waitFor();
    await choose(page, picture('a.png'), picture('b.png'));
    await say(page, 'error please');
    await page.locator('.queued').getByText('2 files').waitFor();
    host.release('second');
    host.release('third');
    await page.getByRole('button', { name: 'Try again' }).click();
    const again = await host.heard('prompt', 3);
    assert.deepEqual(
      again.attachments.map(({ name }) => name),
      ['a.png', 'b.png'],
    );
    assert.deepEqual(Buffer.from(again.attachments[1].data, 'base64'), BLUE);
  }));

for (const [name, settings] of [
  ['dark', { colorScheme: 'dark' }],
  ['narrow', { viewport: { width: 280, height: 600 } }],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
]) {
  test(`files can be read and reached, ${name}`, () =>
    withPage(
      async (page) => {
        await choose(
          page,
          picture('a picture whose name is longer than any box that we would give it.png'),
          textFile('notes.txt', 'a'),
          picture('b.png'),
        );
        await say(page, 'hello, with a line of text below the pictures');
        await seen(page, sent(page));
        await choose(page, picture('next.png'), {
          name: 'all.zip',
          mimeType: 'application/zip',
          buffer: Buffer.from('PK\0\xff'),
        });
        await page.locator('.file-faults p').waitFor();
        await shot(page, `attach-${name}`);
        assert.deepEqual(await page.evaluate(contrastFaults), []);
        assert.equal(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          true,
          'no sideways scrolling of the page',
        );
        await sent(page)
          .getByRole('button', { name: /^Show a picture/ })
          .click();
        await page.getByRole('dialog').getByRole('button', { name: 'Close' }).waitFor();
        await shot(page, `attach-viewer-${name}`);
        const box = await page.getByRole('dialog').getByRole('button', { name: 'Close' }).boundingBox();
        assert.ok(box.x >= 0 && box.x + box.width <= page.viewportSize().width, 'it can be closed');
      },
      { context: settings },
    ));
}

test('the real program keeps the files over a reload and a restart', async () => {
  const parlance = await Parlance.start();
  try {
    await withPageAt(
      parlance.url,
      async (page) => {
        await choose(page, picture('shed.png'), textFile('notes.md', '# Notes'));
        await chips(page).nth(1).waitFor();
        assert.equal(await handOver(page, 'paste', onePicture), true);
        await chips(page).nth(2).waitFor();
        await sendDraft(page);
        await page
          .getByText(
            /With your message came an image \(shed\.png, image\/png, \d+ KiB\), a file \(notes\.md, text\/[a-z]+, 7 bytes\) and an image/,
          )
          .waitFor();
        assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'shed.png');
        await seen(page, sent(page));
        await page.reload();
        await seen(page, sent(page));
      },
      { forgive: NOTHING },
    );
    await parlance.end('SIGKILL');
    await parlance.run();
    await withPageAt(
      parlance.url,
      async (page) => {
        await seen(page, sent(page));
        assert.equal(await sent(page).locator('.picture.there').count(), 2);
        await shot(page, 'attach-real');
      },
      { forgive: NOTHING },
    );
  } finally {
    await parlance.clean();
  }
});

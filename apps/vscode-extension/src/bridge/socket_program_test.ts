// SPDX-License-Identifier: Apache-2.0
// The window's socket and the program that a person starts in its terminal. Skipped where it is not built: ninja -C build/release parlance.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest';
import type { Json } from './framing';
import { handlersFor } from './methods';
import { BridgeSocket, type Address, type Over } from './socket';
import { MemoryEditor } from './test_editor';

const program =
  process.env.PARLANCE_PROGRAM ?? fileURLToPath(new URL('../../../../build/release/bin/parlance', import.meta.url));
const PATH = '/w/ä😀.cpp';
const CONTENT = 'int main() { return 0; }\n';

describe.skipIf(!existsSync(program))('parlance chat in a terminal of the window', () => {
  let folder = '';
  let window: BridgeSocket | undefined;
  let looked: MockInstance | undefined;
  const told: Json[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parlance-window-'));
  });
  afterEach(() => {
    window?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(over: Over): Promise<Address> {
    const editor = new MemoryEditor();
    editor.active = { path: PATH, content: CONTENT, language: 'cpp', lineCount: 2 };
    editor.selected = {
      path: PATH,
      text: 'return 0',
      start: { line: 0, character: 13 },
      end: { line: 0, character: 21 },
    };
    editor.put(PATH, CONTENT);
    looked = vi.spyOn(editor, 'selection');
    told.length = 0;
    window = new BridgeSocket(handlersFor({ name: 'T', version: '1' }, editor).handlers, {
      text: () => {},
      note: () => {},
      notified: (method, params) => {
        if (method === 'status') told.push(params.state!);
      },
    });
    return window.listen(over);
  }
  function chat({ socket, token }: Address, typed: string): Promise<string> {
    const child = spawn(program, ['chat', 'parlance', '--model', 'rehearsal', '--cwd', folder], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        XDG_RUNTIME_DIR: folder,
        PARLANCE_EDITOR_SOCKET: socket,
        PARLANCE_EDITOR_TOKEN: token,
      },
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.stdin.end(typed);
    return new Promise((resolve) => child.on('close', () => resolve(said)));
  }

  test.each<[Over]>([['unix'], ['tcp']])(
    'over %s it finds its editor, and all that it tries works',
    async (over) => {
      const said = await chat(await open(over), '/testvs\n');
      expect(said).toContain('Mode: VSCode RPC');
      expect(said).toContain('6 of 6 work');
      expect(said).toContain(`${PATH} (2 lines)`);
    },
    30_000,
  );
  test('each prompt asks for the selection, and the window receives the status of the agent', async () => {
    const said = await chat(await open('unix'), 'long 2\nrun echo ran\n');
    expect(said).toContain('w1 w2');
    expect(looked).toHaveBeenCalledTimes(2);
    expect(told).toEqual(['thinking', 'idle', 'thinking', 'tool', 'waiting', 'tool', 'thinking', 'idle']);
  }, 30_000);
  test('with the token of another window it is not served', async () => {
    const said = await chat({ ...(await open('tcp')), token: '0'.repeat(64) }, '/testvs\n');
    expect(said).toContain('is not there');
    expect(said).toContain('0 of 6 work');
  }, 30_000);
});

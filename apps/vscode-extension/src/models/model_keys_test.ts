// SPDX-License-Identifier: Apache-2.0
// Keys of models: kept as a secret, published as private files in memory, and stored by no gateway.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeyFiles, memoryFolder } from './key_files';
import { ModelKeys, type Secrets } from './model_keys';
import { performed } from './model_requests';

const connection = {
  name: 'work',
  vendor: 'openai',
  url: 'https://api.openai.com/v1',
  dialect: 'openai',
  model: '',
  key: 'sk-hidden',
};

class Storage implements Secrets {
  readonly all = new Map<string, string>();
  get = async (id: string) => this.all.get(id);
  store = async (id: string, value: string) => void this.all.set(id, value);
  delete = async (id: string) => void this.all.delete(id);
}

let base: string, secrets: Storage, ran: string[][], fault: Error | undefined, listed: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'parlance-keys-'));
  secrets = new Storage();
  ran = [];
  fault = undefined;
  listed = '';
});
afterEach(() => rmSync(base, { recursive: true }));

const make = (scope = 'state') => {
  const files = new KeyFiles(scope, () => base);
  const run = async (args: readonly string[]) => {
    ran.push([...args]);
    if (fault) throw fault;
    return args[1] === 'list' ? listed : '';
  };
  return { files, keys: new ModelKeys(secrets, 'models', files, run) };
};
const written = () =>
  readdirSync(base, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath ?? file.path, file.name), 'utf8'));

test('a key is a secret and a private file, and the command line has the path alone', async () => {
  const { keys, files } = make();
  await keys.save(connection);
  const path = files.pathOf('work');
  expect(ran).toEqual([
    [
      'model',
      'add',
      '--name=work',
      '--url=https://api.openai.com/v1',
      '--dialect=openai',
      `--key-file=${path}`,
      '--',
      'openai',
    ],
  ]);
  expect(JSON.parse(secrets.all.get('models')!)).toEqual({ work: 'sk-hidden' });
  expect(readFileSync(path, 'utf8')).toBe('sk-hidden');
  expect([statSync(path).mode & 0o777, statSync(join(path, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('a failure keeps the earlier key, and leaves no key of a new connection', async () => {
  const { keys } = make();
  await keys.save(connection);
  fault = new Error('url is no address of a server');
  await expect(keys.save({ ...connection, key: 'other' })).rejects.toThrow('no address');
  await expect(keys.save({ ...connection, name: 'new', key: 'other' })).rejects.toThrow('no address');
  expect(JSON.parse(secrets.all.get('models')!)).toEqual({ work: 'sk-hidden' });
  expect(written()).toEqual(['sk-hidden']);
  fault = undefined;
  await keys.remove('work');
  expect([secrets.all.size, written()]).toEqual([0, []]);
});

test('a program finds the keys again, until its window ends the program', async () => {
  const first = make();
  await first.keys.save(connection);
  await first.keys.withdraw();
  expect(written()).toEqual([]);
  const second = make();
  await second.keys.withdraw(); // has published nothing
  await second.keys.publish();
  expect(written()).toEqual(['sk-hidden']);
  expect(second.files.pathOf('work')).toBe(first.files.pathOf('work'));
  expect(make('other state').files.pathOf('work')).not.toBe(first.files.pathOf('work'));
});

test('a connection that a terminal removed loses its key, and an unclear list removes none', async () => {
  const { keys } = make();
  await keys.prune();
  expect(ran).toEqual([]); // without a key no program starts
  await keys.save(connection);
  await keys.save({ ...connection, name: 'home', key: 'sk-home' });
  const list = (...names: unknown[]) => JSON.stringify({ connections: names.map((name) => ({ name })), found: [] });
  for (listed of ['', 'parlance 0.1', '{}', '{"connections":{}}', '[]', list(7), '{"connections":[null]}']) {
    await expect(keys.prune(), listed).rejects.toThrow();
    expect(Object.keys(JSON.parse(secrets.all.get('models')!) as object)).toEqual(['work', 'home']);
  }
  fault = new Error('models.json is open to other users');
  await expect(keys.prune()).rejects.toThrow('open to other users');
  fault = undefined;
  listed = list('home', 'other');
  await keys.prune();
  expect([JSON.parse(secrets.all.get('models')!), written()]).toEqual([{ home: 'sk-home' }, ['sk-home']]);
  listed = list();
  await keys.prune();
  expect([secrets.all.size, written()]).toEqual([0, []]);
});

test('a key that another window stores during the list stays', async () => {
  const run = async ([, action]: readonly string[]) => {
    if (action !== 'list') return '';
    await make().keys.save({ ...connection, key: 'sk-new' });
    await make().keys.save({ ...connection, name: 'new', key: 'sk-newest' });
    return '{"connections":[]}';
  };
  await make().keys.save(connection);
  await new ModelKeys(secrets, 'models', new KeyFiles('state', () => base), run).prune();
  expect(JSON.parse(secrets.all.get('models')!)).toEqual({ work: 'sk-new', new: 'sk-newest' });
});

test('the secret follows the connection', async () => {
  const { keys } = make();
  const early: number[] = [];
  const files = new KeyFiles('state', () => base);
  const run = async () => (early.push(secrets.all.size), '');
  await new ModelKeys(secrets, 'models', files, run).save(connection);
  expect([early, secrets.all.size]).toEqual([[0], 1]);
  await keys.withdraw();
});

// A system root without mounts has none.
function hasSharedMemory(): boolean {
  try {
    return memoryFolder(['/dev/shm']) !== '';
  } catch {
    return false;
  }
}

test('a file system on a disk takes no key', () => {
  expect(memoryFolder([undefined, '', 'relative', '/disk', '/memory'], (folder) => folder !== '/disk')).toBe('/memory');
  expect(() => memoryFolder(['/disk'], () => false)).toThrow('parlance model add');
});

test.skipIf(!hasSharedMemory())('the shared memory of the machine takes a key', () => {
  expect(memoryFolder([undefined, '/dev/shm'])).toBe('/dev/shm');
});

test('requests of a page with a key go to the secret storage, and the list of the gateway answers', async () => {
  const gateway: unknown[] = [];
  const page: unknown[] = [];
  const { keys } = make();
  const take = async (message: object) => {
    const taken = performed(JSON.stringify(message), keys, {
      toGateway: (text) => gateway.push(JSON.parse(text)),
      toPage: (text) => page.push(JSON.parse(text)),
    });
    await expect.poll(() => !taken || gateway.length + page.length).toBeTruthy();
    return taken;
  };
  expect(await take({ type: 'save_model', request: 'p1', connection })).toBe(true);
  expect([gateway, page]).toEqual([[{ type: 'models', request: 'p1' }], []]);
  gateway.length = 0;
  fault = new Error('unknown connection');
  expect(await take({ type: 'remove_model', request: 'p2', name: 'work' })).toBe(true);
  expect([gateway, page]).toEqual([
    [],
    [{ type: 'failed', request: 'p2', code: 'failed', message: 'unknown connection' }],
  ]);
  const { key: _, ...keyless } = connection;
  for (const other of [
    { type: 'save_model', request: 'p3', connection: keyless },
    { type: 'save_model', request: 'p4', connection: { ...connection, key: '' } },
    { type: 'save_model', request: 'p5', connection: { ...connection, url: 7 } },
    { type: 'save_model', connection },
    { type: 'test_model', request: 'p6', connection },
    { type: 'prompt', text: '"save_model"' },
  ])
    expect(await take(other)).toBe(false);
});

// SPDX-License-Identifier: Apache-2.0
// Settings of the extension that was deployed for iFlow (`iflow.timeout` and so on): they count where ours has no value, and are moved once, if
// the person wants that. Knows nothing of VS Code.

/** What is the same in both, under the same last word, and the flag of the program that it becomes. */
const flags = {
  timeout: (value: unknown) => ['--agent-timeout', String(value)],
  debugLogging: (value: unknown) => (value === true ? ['--log-level', 'debug'] : []),
  port: (value: unknown) => ['--iflow-port', String(value)],
  nodePath: (value: unknown) => ['--iflow-node', String(value)],
  maxFileBytes: (value: unknown) => ['--prompt-file-bytes', String(value)],
} as const;

type Name = keyof typeof flags;
export const olderNames = Object.keys(flags) as Name[];

/** A value as a person wrote it, for themselves and for this workspace; what nobody wrote is absent. */
export interface Written {
  user?: unknown;
  workspace?: unknown;
}
/** `section`: ours, or the older one. */
export type Inspect = (section: 'parlance' | 'iflow', name: Name) => Written;

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
const valueOf = ({ user, workspace }: Written): unknown => (isSet(workspace) ? workspace : user);

/** Flags of `parlance up` for what was written, ours first. */
export function olderFlags(inspect: Inspect): string[] {
  return olderNames.flatMap((name) => {
    const value = [inspect('parlance', name), inspect('iflow', name)].map(valueOf).find(isSet);
    return value === undefined ? [] : flags[name](value);
  });
}

export interface Move {
  name: Name;
  where: 'user' | 'workspace';
  value: unknown;
}

/** What of the older ones would have to be written anew for ours to say the same. */
export function moves(inspect: Inspect): Move[] {
  return olderNames.flatMap((name) => {
    const [ours, older] = [inspect('parlance', name), inspect('iflow', name)];
    return (['user', 'workspace'] as const)
      .filter((where) => isSet(older[where]) && !isSet(ours[where]))
      .map((where) => ({ name, where, value: older[where] }));
  });
}

export interface Mover {
  inspect: Inspect;
  offered(): boolean;
  /** True: they are to be moved. */
  ask(names: string[]): Promise<boolean>;
  /** Absent: it goes away. */
  write(section: 'parlance' | 'iflow', name: Name, where: Move['where'], value: unknown): Promise<void>;
  keepOffered(): Promise<void>;
}

/** Asks once in a person's life. */
export async function offerToMove(mover: Mover): Promise<void> {
  const found = moves(mover.inspect);
  if (found.length === 0 || mover.offered()) return;
  await mover.keepOffered();
  if (!(await mover.ask([...new Set(found.map(({ name }) => `iflow.${name}`))]))) return;
  for (const { name, where, value } of found) {
    await mover.write('parlance', name, where, value);
    await mover.write('iflow', name, where, undefined); // only what is written anew goes
  }
}

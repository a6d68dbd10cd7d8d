// SPDX-License-Identifier: Apache-2.0
// Settings of the extension for iFlow (`iflow.timeout` and others): valid where ours have no value, and moved once if the person agrees.
// Independent of VS Code.

/** Settings with the same meaning and the same last word, and the matching flag of the program. */
const flags = {
  timeout: (value: unknown) => ['--agent-timeout', String(value)],
  debugLogging: (value: unknown) => (value === true ? ['--log-level', 'debug'] : []),
  port: (value: unknown) => ['--iflow-port', String(value)],
  nodePath: (value: unknown) => ['--iflow-node', String(value)],
  maxFileBytes: (value: unknown) => ['--prompt-file-bytes', String(value)],
} as const;

type Name = keyof typeof flags;
export const olderNames = Object.keys(flags) as Name[];

/** A value set by the person, for all workspaces and for this workspace; absent if unset. */
export interface Written {
  user?: unknown;
  workspace?: unknown;
}
/** `section`: ours, or the older section. */
export type Inspect = (section: 'parlance' | 'iflow', name: Name) => Written;

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
const valueOf = ({ user, workspace }: Written): unknown => (isSet(workspace) ? workspace : user);

/** Flags of `parlance up` for the set values, ours first. */
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

/** The older values that need a copy in our section. */
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
  /** True: move the settings. */
  ask(names: string[]): Promise<boolean>;
  /** Absent: removes the setting. */
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
    await mover.write('iflow', name, where, undefined); // removes only copied values
  }
}

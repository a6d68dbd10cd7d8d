// SPDX-License-Identifier: Apache-2.0
// What the gateway tells of the checks. Pure.

export interface Finding {
  group: string;
  state: 'ok' | 'note' | 'bad';
  what: string;
  detail: string;
  cure?: string;
}
export interface Told {
  version: string;
  bad: number;
  findings: Finding[];
}

const WEIGHT = { bad: 0, note: 1, ok: 2 };

/** The groups in their first order; in each group, the problems come first. */
export function groupsOf({ findings }: Told): { group: string; findings: Finding[] }[] {
  return [...new Set(findings.map((finding) => finding.group))].map((group) => ({
    group,
    findings: findings.filter((finding) => finding.group === group).sort((a, b) => WEIGHT[a.state] - WEIGHT[b.state]),
  }));
}

/** The text of `parlance doctor`, for a request for help. */
export function toldAsText({ version, bad, findings }: Told): string {
  const line = ({ state, what, detail, cure }: Finding) =>
    `  ${(state === 'bad' ? 'BAD' : state).padEnd(4)} ${what.padEnd(18)} ${detail}\n${cure ? `       ${''.padEnd(18)} -> ${cure}\n` : ''}`;
  return `parlance ${version}\n${findings.map(line).join('')}${bad === 0 ? 'No problem found.' : `${bad} to fix.`}\n`;
}

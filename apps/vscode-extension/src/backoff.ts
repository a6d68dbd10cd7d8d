// SPDX-License-Identifier: Apache-2.0
// When to restart a program after its end. A program with a long life restarts at once; a program that repeatedly ends at its start stays
// ended until a person restarts the program.

const FIRST_MS = 250;
const MOST_MS = 30_000;
const STEADY_MS = 60_000; // after such a life, the end has another cause than the start
const CRASHES = 3;
const CRASHES_WITHIN_MS = 10_000;

export class BackOff {
  private failures = 0;
  private ends: number[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  /** How long to wait before the next start; undefined: give up. */
  ended(startedAt: number): number | undefined {
    const at = this.now();
    this.failures = at - startedAt >= STEADY_MS ? 1 : this.failures + 1;
    this.ends = [...this.ends.filter((end) => at - end < CRASHES_WITHIN_MS), at];
    if (this.ends.length > CRASHES) return undefined;
    return Math.min(MOST_MS, FIRST_MS * 2 ** (this.failures - 1));
  }

  reset(): void {
    this.failures = 0;
    this.ends = [];
  }
}

// SPDX-License-Identifier: Apache-2.0
// When to start a program again that ended by itself. A program that lived for a while has earned a fresh start; one that ends at once, time
// after time, is left alone until a person says otherwise.

const FIRST_MS = 250;
const MOST_MS = 30_000;
const STEADY_MS = 60_000; // lived so long: what killed it was something else than its start
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
    this.ends = [...this.ends.filter((one) => at - one < CRASHES_WITHIN_MS), at];
    if (this.ends.length > CRASHES) return undefined;
    return Math.min(MOST_MS, FIRST_MS * 2 ** (this.failures - 1));
  }

  reset(): void {
    this.failures = 0;
    this.ends = [];
  }
}

/** Thousands of stream clients in processes of their own, so that those who check do not slow those who follow. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { CrowdPart, CrowdReport } from "./crowd-process.ts";
import { eventually } from "./eventually.ts";
import { ROOT } from "./files.ts";

const ENTRY = join(ROOT, "e2e/dist/harness/crowd-process.js");

export interface Crowd {
  report(): Promise<CrowdReport>;
  until(what: string, holds: (report: CrowdReport) => boolean, withinMs: number): Promise<CrowdReport>;
  close(): Promise<void>;
}

const joined = (parts: readonly CrowdReport[]): CrowdReport => {
  const ends: Record<string, number> = {};
  for (const part of parts) for (const [how, count] of Object.entries(part.ends)) ends[how] = (ends[how] ?? 0) + count;
  const sum = (of: (part: CrowdReport) => number): number => parts.reduce((total, part) => total + of(part), 0);
  return {
    following: sum(({ following }) => following),
    reached: Math.min(...parts.map(({ reached }) => reached)),
    lost: sum(({ lost }) => lost),
    faults: parts.flatMap(({ faults }) => faults),
    ends,
    awayMs: parts.flatMap(({ awayMs }) => awayMs),
  };
};

/**
 * Starts one, which connects at once.
 * @param processes they share the keys equally
 */
export const startCrowd = (processes: number, whole: CrowdPart): Crowd => {
  const children = Array.from({ length: processes }, (_, index) => {
    const child = fork(ENTRY, { execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] });
    const keys = whole.keys.filter((_, at) => at % processes === index);
    child.send({ ...whole, keys } satisfies CrowdPart);
    return child;
  });
  const report = async (): Promise<CrowdReport> =>
    joined(
      await Promise.all(
        children.map(async (child) => {
          const answered = once(child, "message") as Promise<[CrowdReport]>; // it sends nothing else
          child.send("report");
          return (await answered)[0];
        }),
      ),
    );
  return {
    report,
    until: (what, holds, withinMs) => eventually(what, report, holds, { withinMs, everyMs: 250 }),
    close: async () => {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null || child.signalCode !== null) return;
          const exited = once(child, "exit");
          child.disconnect();
          await exited;
        }),
      );
    },
  };
};

/** Whether a process may be sent requests: `/ready`, and the line `ready …` on stdout once it answers 200. */
import type { Log } from "@assay/live";
import type { Time } from "@assay/ports";

/** The answer to `/ready`. */
export interface ReadinessReport {
  readonly ready: boolean;
  /** By name, whether it is met. */
  readonly checks: Readonly<Record<string, boolean>>;
}

type Holds = () => boolean | Promise<boolean>;

const never = (): boolean => false;

/**
 * What must have happened once before a process is ready: the database migrated, the bus attached, a first price. Once met a
 * check stays met: in an outage the service goes on answering from memory, and taking every process out would end that.
 */
export class Readiness {
  readonly #checks = new Map<string, Holds>();
  readonly #met = new Set<string>();
  readonly #isDraining: () => boolean;

  /** @param isDraining whether the process is ending */
  constructor(names: readonly string[], isDraining: () => boolean) {
    for (const name of names) this.#checks.set(name, never);
    this.#isDraining = isDraining;
  }

  check(name: string, holds: Holds): void {
    this.#checks.set(name, holds);
  }

  async read(): Promise<ReadinessReport> {
    const open = [...this.#checks].filter(([name]) => !this.#met.has(name));
    await Promise.all(
      open.map(async ([name, holds]) => {
        const isMet = await Promise.resolve(holds()).catch(() => false);
        if (isMet) this.#met.add(name);
      }),
    );
    const met = [...this.#checks.keys()].map((name) => [name, this.#met.has(name)] as const);
    const isServing = !this.#isDraining();
    const checks = Object.fromEntries([...met, ["serving", isServing] as const]);
    return { ready: Object.values(checks).every(Boolean), checks };
  }
}

const ASK_AGAIN_MS = 100;

export interface AnnounceOptions {
  readonly log: Log;
  readonly clock: Pick<Time, "sleep">;
  readonly print?: (line: string) => void;
}

/**
 * Waits until a process is ready, and prints and logs it. A wait begins with a line in the log that names what is missing.
 * @param what the address of the process, or its name
 */
export const announceReady = async (
  readiness: Readiness,
  what: string,
  { log, clock, print = (line) => process.stdout.write(line) }: AnnounceOptions,
): Promise<void> => {
  let report = await readiness.read();
  if (!report.ready) {
    const waitsFor = Object.keys(report.checks).filter((name) => !report.checks[name]);
    log.warn({ service: what, waitsFor }, "started; not ready yet");
  }
  while (!report.ready) {
    await clock.sleep(ASK_AGAIN_MS);
    report = await readiness.read();
  }
  log.info({ service: what }, "ready");
  print(`ready ${what}\n`);
};

/** A real Assay process, as its operator starts it: the only way in which a benchmark starts the service. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { MINUTE_MS } from "@assay/contract";
import { cpuMsOf } from "./process.ts";

/** What the `assay` command is started with. */
const FLAGS = ["--max-semi-space-size=2"];
const MEMORY = { MALLOC_TRIM_THRESHOLD_: "131072" };
/** The `assay` command, bundled. */
const ASSAY = fileURLToPath(new URL("../../../apps/cli/dist/bundle/assay.js", import.meta.url));

const POLL_MS = 500;
const SETTLED_WITHIN_MS = 10 * MINUTE_MS;

/** Its settings; everything else is the default. */
export type ServiceSettings = Readonly<Record<string, string>>;

/** A running process. */
export interface Service {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly readyMs: number;
  /** CPU of its start. */
  readonly readyCpuMs: number;
  stop(): Promise<void>;
}

/** Starts `assay start`; resolves when it says `ready`. */
export const startService = async (settings: ServiceSettings): Promise<Service> => {
  const startedMs = performance.now();
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [...FLAGS, ASSAY, "start"], {
    env: { ...MEMORY, PATH, HOME, HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "error", ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const pid = child.pid ?? 0;
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error("assay start ended before it served")));
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.startsWith("ready ")) resolve(line.slice("ready ".length));
    });
  });
  return {
    url,
    port: Number(new URL(url).port),
    pid,
    readyMs: performance.now() - startedMs,
    readyCpuMs: cpuMsOf(pid),
    stop: async () => {
      process.off("exit", kill);
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
};

/** Waits until the history is filled in and every archive is built. */
export const untilSettled = async ({ url }: Service): Promise<void> => {
  const startedMs = performance.now();
  while (performance.now() - startedMs < SETTLED_WITHIN_MS) {
    const response = await fetch(`${url}/v1/status`);
    const { history, archives } = (await response.json()) as {
      history: { complete: boolean };
      archives: { pending: number | null } | null;
    }; // as the contract declares it
    // A busy machine may refuse one.
    if (response.ok && history.complete && (archives === null || archives.pending === 0)) return;
    await pause(POLL_MS);
  }
  throw new Error("the history or the archives were not complete in time");
};

/** Uses a folder that is removed afterwards. */
export const withFolder = async <Result>(use: (folder: string) => Promise<Result>): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-bench-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const TIER = "realtime_pro";
const LIMITS = { rate_limit_per_minute: 100_000_000, monthly_quota: 2_000_000_000, max_concurrent_streams: 10_000 };

/** A day of intraday bars and no archives: what most benchmarks ask is there when it is ready. */
export const SHORT_PAST: ServiceSettings = { SIM_HISTORY_DAYS: "1", DISABLE: "download" };

/** Uses a settled service on a simulated market, and a key whose limits are never reached; every request is still counted. */
export const withService = <Result>(
  settings: ServiceSettings,
  use: (service: Service & { readonly key: string }) => Promise<Result>,
): Promise<Result> =>
  withFolder(async (folder) => {
    const tiers = join(folder, "tiers.json");
    await writeFile(tiers, JSON.stringify({ [TIER]: LIMITS }));
    const service = await startService({ DATA_DIR: folder, TIERS_FILE: tiers, ...settings });
    try {
      await untilSettled(service);
      const keys = JSON.parse(await readFile(join(folder, "demo-keys.json"), "utf8")) as { [TIER]: string }; // the demo's own
      return await use({ ...service, key: keys[TIER] });
    } finally {
      await service.stop();
    }
  });

/** The programs of `examples/` on the packed SDK, as a user runs them, against a service that is killed while they run. */
import { existsSync } from "node:fs";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { contract } from "@assay/contract";
import { Assay } from "@assay/sdk/stream";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { read } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Examples, installExamples } from "./harness/examples.ts";
import { type Folder, ROOT, readDemoKeys, type TierKeys, temporaryFolder } from "./harness/files.ts";
import { type Service, type Settings, startService, type Watched } from "./harness/service.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });

const GOLD = "XAU-USD-SPOT";
const SILVER = "XAG-USD-SPOT";

let data: Folder;
let examples: Examples;
let service: Service;
let keys: TierKeys;
beforeAll(async () => {
  data = await temporaryFolder();
  examples = await installExamples();
  service = await startService({ DATA_DIR: data.path, DISABLE: "" });
  keys = await readDemoKeys(data.path);
});
afterAll(async () => {
  await service?.stop("SIGKILL");
  await Promise.all([examples?.remove(), data?.remove()]);
});

const as = (apiKey: string): Settings => ({ ASSAY_BASE_URL: service.url, ASSAY_API_KEY: apiKey });

/** Kills the service and restarts it on the same address and data. */
const restartService = async (settings: Settings = {}): Promise<void> => {
  const { port } = new URL(service.url);
  await service.stop("SIGKILL");
  service = await startService({ DATA_DIR: data.path, PORT: port, DISABLE: "", ...settings });
};

test("the examples are typed, and name the tarball that npm pack makes", async () => {
  expect(await examples.typeFaults()).toBe("");
  const { dependencies } = JSON.parse(await readFile(join(ROOT, "examples/package.json"), "utf8"));
  expect(dependencies).toEqual({ "@assay/sdk": `file:../packages/sdk/${examples.tarball}` });
});

/** A price with four decimals divided by a thousand, rounded half up: in integers, not by the SDK's own arithmetic. */
const productOf = (price: string, thousandths: bigint, places: number): string => {
  const [whole, decimals = ""] = price.split(".");
  const scale = 10n ** BigInt(7 - places);
  const rounded = (BigInt(`${whole}${decimals.padEnd(4, "0")}`) * thousandths + scale / 2n) / scale;
  const digits = `${rounded}`.padStart(places + 1, "0");
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
};

test.each([
  ["EUR", 2],
  ["JPY", 0],
] as const)(
  "the price list in %s is the service's karat prices with the charge, rounded to %i decimals",
  async (currency, places) => {
    const answers = new Map<string, object>();
    const ask = async () => {
      const answer = await read(service.url, contract.carat.get, { currency }, { key: keys.pro });
      answers.set(new Date(answer.timestamp).toISOString(), answer);
    };
    const { head, rows, answer } = await eventually(
      "a list is of a moment that was also read over REST",
      async () => {
        await ask();
        const { code, stdout, stderr } = await examples.run(as(keys.pro), "price-list.mjs", currency, "12.5", "10");
        expect(code, stderr).toBe(0);
        await ask();
        const [title = "", ...lines] = stdout.trimEnd().split("\n");
        const [head, ...rows] = lines.map((line) => line.trim().split(/ {2,}/));
        return { head, rows, answer: answers.get(title.replace(`${currency}, spot of `, "")) };
      },
      ({ answer }) => answer !== undefined,
      { withinMs: 90_000 },
    );
    expect(head).toEqual(["karat", "gold, 1 g", "+ 12.5 %", "10 g"]);
    const prices = new Map(Object.entries(answer ?? {}));
    const expected = [24, 22, 21, 20, 18, 16, 14, 10].map((karat) => {
      const price = String(prices.get(`price_gram_${karat}k`));
      return [`${karat}k`, price, productOf(price, 1_125n, places), productOf(price, 11_250n, places)];
    });
    expect(rows).toEqual(expected);
  },
);

test("a shop's day reprices 500 pieces, and a disputed one verifies from its files with the service gone; a changed one does not", async () => {
  const { code, stdout, stderr } = await examples.run(as(keys.pro), "shop-day.mjs", "EUR", "0.5", "3", "day");
  expect(code, stderr).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(3);
  for (const [index, line] of lines.entries())
    expect(line).toMatch(new RegExp(`^${index + 1}: 500 pieces, \\d+\\.\\d\\d EUR at 20`));

  const nowhere: Settings = { ASSAY_BASE_URL: "http://127.0.0.1:1" };
  const dispute = () => examples.run(nowhere, "dispute.mjs", "day", "2", "ring-117");
  const said = await dispute();
  expect(said.code, said.stderr).toBe(0);
  expect(said.stdout).toMatch(/^ring-117 cost \d+\.\d[05] EUR at the prices of 20/);
  expect(said.stdout).toContain(", as computed again here.");
  expect(said.stdout).toContain(`Signed by ${service.url} at 20`);

  const path = join(examples.folder, "day/2.jws");
  const [head = "", claims = "", signature = ""] = (await readFile(path, "utf8")).split(".");
  const dearer = Buffer.from(claims, "base64url").toString().replace('"total":"', '"total":"9');
  await writeFile(path, [head, Buffer.from(dearer).toString("base64url"), signature].join("."));
  const refused = await dispute();
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toContain("ReceiptError");
});

describe("the CSV export", () => {
  test("holds every settled bar of the window once, oldest first, as REST has them, and shows its progress", async () => {
    const [from, to] = ["2018-01-01", "2020-12-31"];
    const { code, stderr } = await examples.run(as(keys.pro), "export-bars.mjs", GOLD, "1d", from, to, "gold.csv");
    expect(code, stderr).toBe(0);
    const window = { symbol: GOLD, from, to, limit: 10_000 };
    const { bars } = await read(service.url, contract.bars.list, window, { key: keys.pro });
    const lines = bars
      .map((bar) => [new Date(bar.bar_start).toISOString(), bar.open, bar.high, bar.low, bar.close, bar.volume ?? ""].join(","))
      .reverse();
    expect(lines.length).toBeGreaterThan(1_000);
    const written = (await readFile(join(examples.folder, "gold.csv"), "utf8")).trimEnd().split("\n");
    expect(written).toEqual(["bar_start,open,high,low,close,volume", ...lines]);

    const progress = stderr.trimEnd().split("\n");
    const percents = progress.map((line) => Number(/ (\d+) %$/.exec(line)?.[1]));
    expect(percents.length).toBeGreaterThan(2);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBe(`${GOLD} 1d: ${lines.length} bars, 100 %`);
  });

  test("that is refused leaves no file under the given name", async () => {
    const args = ["export-bars.mjs", SILVER, "1d", "2020-01-01", "2020-12-31", "silver.csv"];
    const { code, stderr } = await examples.run(as(keys.free), ...args);
    expect(code).toBe(1);
    expect(stderr).toContain("PlanGatedError");
    expect(existsSync(join(examples.folder, "silver.csv"))).toBe(false);
  });
});

/** A decimal as units of its last place. */
const unitsOf = (text: string): readonly [units: bigint, scale: bigint] => {
  const [whole = "", decimals = ""] = text.split(".");
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)];
};

test("the tax report values each purchase at the close of its day, and names the days that have none", async () => {
  const bought = { "2015-02-12": "31.1", "2015-06-03": "10", "2015-12-01": "2.75" };
  const lines = [...Object.entries(bought).map((line) => line.join(",")), "2016-01-01,5"];
  await writeFile(join(examples.folder, "bought.csv"), `${lines.join("\n")}\n`);
  const { code, stdout, stderr } = await examples.run(as(keys.pro), "tax-report.mjs", "XAU-JPY-SPOT", "2015", "bought.csv");
  expect([code, stderr]).toEqual([1, "no price on 2016-01-01\n"]);
  const query = { symbol: "XAU-JPY-SPOT", unit: "gram", from: "2015-01-01", to: "2015-12-31", limit: 366 };
  const { points } = await read(service.url, contract.series.list, query, { key: keys.pro });
  let total = 0n;
  const wanted = Object.entries(bought).map(([day, grams]) => {
    const point = points.find(({ date }) => date === day);
    const [[amount, scale], [price, places]] = [unitsOf(grams), unitsOf(point?.price ?? "")];
    const hundredths = (200n * amount * price + scale * places) / (2n * scale * places);
    total += hundredths;
    const value = `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}`;
    return `${day}  ${grams} g at ${point?.price}  ${value}  rate ${point?.fx_rate} of ${point?.fx_date}`;
  });
  expect(stdout.trimEnd().split("\n")).toEqual([...wanted, `total ${total / 100n}.${String(total % 100n).padStart(2, "0")}`]);
});

test("the dashboard shows the ticks that REST answers, and ends with Ctrl-C", async () => {
  const dashboard = examples.start(as(keys.pro), "dashboard.mjs");
  onTestFinished(() => void dashboard.child.kill("SIGKILL"));
  const prices = new Map<string, string | undefined>();
  const both = await eventually(
    "ticks of both metals were shown and read over REST",
    async () => {
      for (const symbol of [GOLD, SILVER]) {
        const { price, computed_at = "" } = await read(service.url, contract.spot.get, { symbol }, { key: keys.pro });
        prices.set(`${symbol} ${new Date(computed_at).toISOString()}`, price);
      }
      const lines = dashboard.stdout().split("\n").slice(0, -1);
      const cells = lines.map((line) => line.split(/ {2,}/));
      return cells.filter(([symbol, , , , computedAt]) => prices.has(`${symbol} ${computedAt}`));
    },
    (lines) => [GOLD, SILVER].every((name) => lines.filter(([symbol]) => symbol === name).length >= 3),
    { withinMs: 60_000, everyMs: 400 },
  );
  for (const [symbol, price, , , computedAt] of both) expect(price).toBe(prices.get(`${symbol} ${computedAt}`));
  dashboard.child.kill("SIGINT");
  expect(await dashboard.exited).toEqual({ code: 0, signal: null });
});

/** A line of the bot's ledger. */
interface Entry {
  readonly seq: number;
  readonly computedAt: string;
  readonly price?: string;
  readonly from?: number;
  readonly reason?: string;
  readonly minutes?: readonly (readonly [string, string])[];
}

describe("the bot", () => {
  let file: string;
  let bot: Watched;
  beforeAll(() => {
    file = join(examples.folder, "ledger.jsonl");
  });
  const startBot = (): void => {
    bot = examples.start(as(keys.realtime_pro), "bot.mjs", GOLD, file);
  };
  const killBot = async (): Promise<void> => {
    bot.child.kill("SIGKILL");
    expect(await bot.exited).toEqual({ code: null, signal: "SIGKILL" });
  };
  const entries = async (): Promise<Entry[]> => {
    const text = existsSync(file) ? await readFile(file, "utf8") : "";
    const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  };
  const priceNow = () => read(service.url, contract.spot.get, { symbol: GOLD }, { key: keys.realtime_pro });
  /** The numbers of the ledger, one by one. */
  const numbersOf = (ledger: readonly Entry[]): number[] =>
    ledger.flatMap(({ seq, from = seq }) => Array.from({ length: seq - from + 1 }, (_, index) => from + index));
  const consecutive = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

  test("records each of a hundred numbers once, even if it and the service are killed", { timeout: 400_000 }, async () => {
    const overRest = new Map<string, string | undefined>();
    const untilEntered = (seq: number) =>
      eventually(
        `number ${seq} is entered`,
        async () => {
          const { price, computed_at = "" } = await priceNow();
          overRest.set(new Date(computed_at).toISOString(), price);
          return (await entries()).at(-1)?.seq ?? 0;
        },
        (reached) => reached >= seq,
        { withinMs: 120_000, everyMs: 400 },
      );
    /** Prices received by a client that is never killed. */
    const witnessed = new Map<number, string>();
    const watcher = new Assay({ apiKey: keys.realtime_pro, baseUrl: service.url, logLevel: "off" });
    const witness = watcher.stream.subscribe({ symbols: [GOLD] });
    const watching = (async () => {
      for await (const event of witness) if (event.type === "tick") witnessed.set(event.seq, event.price.text);
    })();
    onTestFinished(async () => {
      bot.child.kill("SIGKILL");
      witness.close();
      await watching;
    });
    const untilWitnessed = (seq: number) =>
      eventually(
        `the market is at number ${seq} without the bot`,
        () => [...witnessed.keys()].at(-1) ?? 0,
        (reached) => reached >= seq,
        { withinMs: 120_000 },
      );

    startBot();
    await untilEntered(1);
    const first = (await entries())[0]?.seq ?? 0;
    await untilEntered(first + 20);
    await killBot();
    await appendFile(file, '{"seq":'); // a line left incomplete by a power failure
    await untilWitnessed(first + 30);
    startBot();
    await untilEntered(first + 40);
    await restartService();
    await untilEntered(first + 60);
    await killBot();
    await restartService();
    startBot();
    await untilEntered(first + 99);
    // The witness was connected through both restarts, so it may still be waiting for its next try.
    await untilWitnessed(first + 99);
    await killBot();

    const ledger = await entries();
    expect(numbersOf(ledger).slice(0, 100)).toEqual(consecutive(first, 100));
    const ticks = ledger.filter(({ price }) => price !== undefined);
    const asked = ticks.filter(({ computedAt }) => overRest.has(computedAt));
    const seen = ticks.filter(({ seq }) => witnessed.has(seq));
    for (const { computedAt, price } of asked) expect(price, computedAt).toBe(overRest.get(computedAt));
    for (const { seq, price } of seen) expect(price, `number ${seq}`).toBe(witnessed.get(seq));
    console.info(
      `the bot: ${ticks.length} prices; ${asked.length} of them were also read over REST, ${seen.length} by another client`,
    );
    expect([ticks.length >= 90, asked.length >= 20, seen.length >= 80]).toEqual([true, true, true]);
  });

  test("records numbers that are too old to be sent as a gap, once, with the minutes it missed", async () => {
    const before = await entries();
    await restartService({ CLOCK_OFFSET_MS: "600000" });
    startBot();
    onTestFinished(() => void bot.child.kill("SIGKILL"));
    const untilTicks = (count: number) =>
      eventually(
        `${count} prices follow the gap`,
        async () => (await entries()).slice(before.length),
        (rows) => rows.filter(({ price }) => price !== undefined).length >= count,
        { withinMs: 60_000 },
      );
    await untilTicks(3);
    await killBot();
    startBot();
    const rows = await untilTicks(8);
    await killBot();
    const numbers = numbersOf(rows);
    expect(numbers).toEqual(consecutive((before.at(-1)?.seq ?? 0) + 1, numbers.length));
    const gaps = rows.filter(({ from }) => from !== undefined);
    expect(gaps.map(({ reason }) => reason)).toEqual(["expired"]);
    const minutes = gaps[0]?.minutes ?? [];
    const [from = "", to = ""] = [minutes[0]?.[0], minutes.at(-1)?.[0]];
    const window = { symbol: GOLD, interval: "1m", from, to } as const;
    const { bars } = await read(service.url, contract.bars.list, window, { key: keys.pro });
    expect(minutes).toEqual(bars.map((bar) => [new Date(bar.bar_start).toISOString(), bar.close]).reverse());
    expect(minutes.length).toBeGreaterThanOrEqual(9);
    console.info(`after ten minutes: a gap of ${numbers.length - rows.length + 1} numbers with ${minutes.length} minutes`);
  });
});

test("the unit tests pass without a network", async () => {
  const { code, stdout } = await examples.run({}, "--test", "--test-reporter=tap");
  expect(stdout).toMatch(/^# pass 4$/m);
  expect(code).toBe(0);
});

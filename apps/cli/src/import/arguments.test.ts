/** The command line of an import, without a process: what it asks for, and every refusal in one line. */
import type { Store } from "@assay/db";
import { openEmbeddedStore } from "@assay/db/testing";
import { silentProgress } from "@assay/process/progress";
import { CommanderError } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readArguments } from "./arguments.ts";
import { IMPORT_FORMATS } from "./read/formats.ts";
import { openScratch, seriesOf, tryImport } from "./testing/trial.ts";

const GOLD = ["--symbol", "GC", "--interval", "1m", "--timezone", "UTC"];

/** What is printed to a stream of its name, and whether it ends the command with an error. */
const printed = (args: readonly string[]) => {
  let [out, err] = ["", ""];
  const output = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
    progress: silentProgress,
  };
  try {
    readArguments(args, output);
  } catch (error) {
    if (error instanceof CommanderError) return { out, err, code: error.exitCode };
    throw error;
  }
  return { out, err, code: null };
};

const requestOf = (args: readonly string[]) => readArguments(args, { out: () => {}, err: () => {}, progress: silentProgress });

describe("the arguments of assay import", () => {
  it.each([
    [["--interval", "1m", "x.csv"], /^error: required option '--symbol <symbol>' not specified\n$/],
    [GOLD, /^error: missing required argument 'file'\n$/],
    [
      ["--symbol", "XAU/EUR", "--interval", "1m", "x.csv"],
      /^error: .* unknown symbol "XAU\/EUR"; must be one of XAU-USD-SPOT, .*, XPD-USD-SPOT, or a series of the service's CATALOG, set here as well\n$/,
    ],
    [["--symbol", "GC", "--interval", "3m", "x.csv"], /^error: .*'3m' is invalid\. Allowed choices are 1m, 5m, .*\n$/],
    [[...GOLD, "--format", "excel", "x.csv"], /^error: .*'excel' is invalid\. Allowed choices are assay, stooq, .*\n$/],
    [[...GOLD, "--timezone", "Mars", "x.csv"], /^error: .*'Mars' is invalid\. a zone is an IANA name, .*\n$/],
    [[...GOLD, "--scale", "-1", "x.csv"], /^error: .*'-1' is invalid\. a scale is a plain decimal above zero .*\n$/],
    [[...GOLD, "--map", "when=Date", "x.csv"], /^error: .*'when=Date' is invalid\. a map is name=Header pairs .*\n$/],
    [[...GOLD, "--map", "open=O", "--format", "stooq", "x.csv"], /^error: --map is for tables of the csv format.*\n$/],
    [[...GOLD, "--on-bad-row", "fix", "x.csv"], /^error: .*'fix' is invalid\. Allowed choices are stop, skip\.\n$/],
    [[...GOLD, "--source", "/srv/Gold.csv", "x.csv"], /^error: option '--source <name>' .* a source is up to 40 .*\n$/],
    [[...GOLD, "--all", "x.csv"], /^error: unknown option '--all'\n/],
  ])("are refused in one line: %j", (args, message) => {
    expect(printed(args)).toEqual({ out: "", err: expect.stringMatching(message), code: 1 });
  });

  it("name every format and option in the help", () => {
    const { out, err, code } = printed(["--help"]);
    expect([err, code]).toEqual(["", 0]);
    for (const format of IMPORT_FORMATS) expect(out).toContain(`\n  ${format}: times `);
    const options = ["map", "scale", "source", "timezone", "drop-empty-volume", "on-bad-row", "replace", "force"];
    for (const option of options) expect(out).toContain(`\n  --${option} `);
  });
});

describe("what they ask for", () => {
  const scratch = openScratch();
  let store: Store;
  beforeAll(async () => {
    store = await openEmbeddedStore();
  });
  afterAll(async () => {
    scratch.remove();
    await store.close();
  });

  it("maps columns, scales prices, skips bad rows with a warning, and reports all of it in its summary", async () => {
    const rows = ["Opened\tFirst\tMax\tMin\tLast\tNote", "2025-05-15 07:35\t314550\t314662\t314517\t314649\ta"];
    rows.push("2025-05-15 07:36\t314649\t314664\t314461\t314481\tb", "2025-05-15 07:37\toops\t1\t1\t1\tc");
    const path = scratch.write("mapped.tsv", `${rows.join("\n")}\n`);
    const request = requestOf([
      ...GOLD,
      "--map",
      "time=Opened,open=First,high=Max,low=Min,close=Last",
      "--scale",
      "0.01",
      "--on-bad-row",
      "skip",
      "--source",
      "desk",
      path,
    ]);
    const warned: string[] = [];
    const { said } = await tryImport(store, [path], request, { warn: (line) => void warned.push(line) });
    expect(warned).toEqual([`${path} line 4, open (column "First"): "oops" is not a plain decimal`]);
    expect(said[0]).toMatch(/\(csv, times in UTC; prices × 0\.01\)\n.*\n {2}skipped: 1 bad row\n {2}columns ignored: Note$/);
    expect(await seriesOf(store, "GC", "1m")).toMatchObject([
      { open: "3145.50", sourceId: "import:desk" },
      { close: "3144.81", sourceId: "import:desk" },
    ]);
  });
});

/** The guides in practice: their commands on a real service, with the answers compared with those shown; that of imports is tested beside the command. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ReceiptKeys, verifyReceipt } from "@assay/sdk/receipts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Folder, ROOT, readDemoKeys, temporaryFolder } from "./harness/files.ts";
import { blocksOf, pathsOf, runSteps, shapeOf, stepsOf, valuesAt } from "./harness/guide.ts";
import { signedHeaders, startReceiver } from "./harness/receiver.ts";
import { type Service, startService } from "./harness/service.ts";

const DOCUMENTED = "http://127.0.0.1:8080";

const missing = ["bash", "curl"].filter((program) => spawnSync(program, ["--version"]).status !== 0);
if (missing.length > 0) console.info(`skipped: no ${missing.join(" and no ")}`);

/** A page for each program that prices are used with; each begins with what it reads. */
const INTEGRATIONS = readdirSync(join(ROOT, "docs/guides/integrations")).map((name) => `integrations/${name.replace(".md", "")}`);

const textOf = (name: string): string => readFileSync(join(ROOT, "docs/guides", `${name}.md`), "utf8");
const stepsIn = (name: string) => stepsOf(textOf(name));

describe.skipIf(missing.length > 0)("the commands of the guides", { meta: { needs: "no bash or no curl" } }, () => {
  let folder: Folder;
  let service: Service;
  /** `$NEW_KEY` of the guides replaced `$KEY`; any other active key does here. */
  let keys: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    // All pages together ask more often without a key than one reader does.
    const TIERS_FILE = await folder.write("tiers.json", JSON.stringify({ keyless: { per_minute: 1_000, per_hour: 1_000 } }));
    service = await startService({ DATA_DIR: join(folder.path, "data"), TIERS_FILE });
    const { pro, physical } = await readDemoKeys(join(folder.path, "data"));
    keys = `KEY=${pro}; NEW_KEY=${physical}`;
  });
  afterAll(async () => {
    await service?.stop();
    await folder?.remove();
  });

  const here = (command: string): string => command.replaceAll(DOCUMENTED, service.url);

  it("in the first call all work, in order, and get what the guide shows", async () => {
    const steps = stepsIn("first-call");
    expect(steps.filter(({ shown }) => shown !== undefined).length).toBeGreaterThanOrEqual(4);
    const printed = await runSteps(
      steps.map(({ command }) => here(command)),
      folder.path,
    );
    for (const [index, { command, shown }] of steps.entries()) {
      if (shown === undefined) continue;
      const got: unknown = JSON.parse(printed[index] ?? "");
      expect(shapeOf(got), command).toEqual(shapeOf(shown));
    }
  });

  it("in the pages guide reach the end, every bar once, newest first", async () => {
    const [, printed = ""] = await runSteps(
      [
        keys,
        ...stepsIn("pagination")
          .slice(1)
          .map(({ command }) => here(command)),
      ],
      folder.path,
    );
    const days = printed.split("\n").map((line) => line.slice(0, 10));
    expect(days).toHaveLength(366);
    expect(days).toEqual([...new Set(days)].toSorted().toReversed());
    expect([days[0], days.at(-1)]).toEqual(["2020-12-31", "2020-01-01"]);
  });

  it("in the receipts guide get one and find it genuine; a changed one is not", async () => {
    const [get = "", verify = ""] = stepsIn("receipts").map(({ command }) => here(command));
    const [, printed = ""] = await runSteps([get, verify], folder.path);
    const { iss, route, body } = JSON.parse(printed);
    expect({ iss, route }).toEqual({ iss: service.url, route: "GET /v1/spot/{symbol}" });
    expect(body.price).toMatch(/^\d+\.\d+$/);
    const receipt = readFileSync(join(folder.path, "receipt.jws"), "utf8");
    const [head = "", claims = "", signature = ""] = receipt.split(".");
    const dearer = Buffer.from(claims, "base64url").toString().replace('"price":"', '"price":"9');
    writeFileSync(join(folder.path, "receipt.jws"), [head, Buffer.from(dearer).toString("base64url"), signature].join("."));
    await expect(runSteps([verify], folder.path)).rejects.toThrow("the receipt was changed");
  });

  it("in the alerts guide make, test, rotate and delete what it shows, and its receiver reads a signed event once", async () => {
    const steps = stepsIn("alerts");
    const commands = steps.flatMap(({ command }) => (command.startsWith("ENDPOINT") ? [command] : command.split(/\n(?=curl )/)));
    const [, endpoint = "", alert = "", test = "", list = "", rotated = "", ...deleted] = await runSteps(
      [keys, ...commands.map(here)],
      folder.path,
    );
    for (const [got, shown] of [
      [endpoint, steps[0]?.shown],
      [alert, steps[1]?.shown],
    ] as const)
      expect(shapeOf(JSON.parse(got))).toEqual(shapeOf(shown));
    const { deliveries } = JSON.parse(list);
    expect(deliveries).toMatchObject([{ id: JSON.parse(test).delivery_id, type: "endpoint.test" }]);
    expect(JSON.parse(rotated)).toMatchObject({ id: JSON.parse(endpoint).id, secret: expect.stringMatching(/^whsec_/) });
    expect(deleted).toEqual(["", ""]);

    const { secret } = JSON.parse(endpoint);
    const receiver = await startReceiver(secret);
    try {
      const { payload } = deliveries[0];
      const send = (body: string) =>
        fetch(receiver.url, { method: "POST", headers: signedHeaders(payload, secret), body }).then(({ status }) => status);
      expect([await send(payload), await send(payload), await send(payload.replace("ep_", "pe_"))]).toEqual([204, 204, 400]);
      await expect.poll(receiver.printed).toBe(`${payload}\n`);
    } finally {
      await receiver.stop();
    }
  });

  it("in the past prices guide show what the page shows, and give a receipt that anyone verifies offline", async () => {
    const steps = stepsIn("past-prices");
    const verify = stepsIn("receipts")[1]?.command ?? "";
    const [, close = "", figure, brief, table = "", claims = ""] = await runSteps(
      [keys, ...[...steps.map(({ command }) => command), verify].map(here)],
      folder.path,
    );
    expect(shapeOf(JSON.parse(close))).toEqual(shapeOf(steps[0]?.shown));
    const fileOf = (name: string): string => readFileSync(join(folder.path, name), "utf8");
    const price = JSON.parse(fileOf("price.json"));
    expect([figure, brief]).toEqual([
      price.price,
      `${price.as_of}, ${price.basis}, rate of ${price.fx_date}: ${price.price_gram_18k}`,
    ]);
    expect(table).toMatch(/^date,price,usd_close,fx_rate,fx_date\r\n\d{4}-/);
    expect(table.split("\r\n").length).toBeGreaterThan(200);
    expect(JSON.parse(claims).body).toEqual(price);
    const options = { jwks: JSON.parse(fileOf("jwks.json")) as ReceiptKeys, issuer: service.url }; // as the service publishes them
    expect((await verifyReceipt(fileOf("receipt.jws"), options)).body).toEqual(price);
  });

  it("in the counter guide price a ring as it is shown, a stock as a file, a price held, scrap, and the weights of nisab", async () => {
    const steps = stepsIn("counter");
    const [ring = "", , , held = "", scrap = "", melt = "", , nisab = ""] = await runSteps(
      steps.map(({ command }) => here(command)),
      folder.path,
    );
    // There only where rounding parts the lines from the total.
    const whole = (json: string): unknown => JSON.parse(json, (name, value) => (name === "rounding" ? undefined : value));
    expect(shapeOf(whole(ring))).toEqual(shapeOf(whole(JSON.stringify(steps[0]?.shown))));
    const [header, ...rows] = readFileSync(join(folder.path, "prices.csv"), "utf8").trimEnd().split("\r\n");
    expect(header).toMatch(
      /^id,metal,side,is_stale,fine_weight_grams,metal_value,.*,total,error\.code,error\.message,error\.path,rounding,weight_grams,asked\./,
    );
    expect(rows.map((row) => row.split(",")[0])).toEqual(["ring-7", "chain-2", "bar-1"]);
    for (const row of rows) expect(row).toMatch(/,\d+\.\d\d,,,/);
    expect(JSON.parse(held)).toMatchObject({ is_ours: true, is_unaltered: true, is_held: true, route: "POST /v1/quotes" });
    const { prices, items } = JSON.parse(scrap);
    expect(prices).toMatchObject([{ side: "buy", basis: "bid" }]);
    expect(items[0].margin).toMatch(/^-\d/);
    expect(JSON.parse(melt).items[0]).toMatchObject({ id: "sovereign", making: "0.00", tax: "0.00" });
    expect(JSON.parse(nisab).items).toMatchObject([{ id: "gold, 85 g" }, { id: "silver, 595 g" }]);
    for (const { total } of JSON.parse(nisab).items) expect(total).toMatch(/^\d+\.\d\d$/);
  });

  it("in the history guide get the same bytes again, and find the chain of corrections whole", async () => {
    const steps = stepsIn("history").map(({ command }) => here(command));
    const [, , gains, same, , chain] = await runSteps([keys, ...steps], folder.path);
    for (const [name, rows] of [
      ["first", "bars"],
      ["euros", "points"],
    ] as const)
      expect(JSON.parse(readFileSync(join(folder.path, `${name}.json`), "utf8"))[rows]).toHaveLength(366);
    expect(gains).toMatch(/^-?\d+\.\d\d % in dollars, -?\d+\.\d\d % in euros$/);
    expect([same, chain]).toEqual(["the same history", "the chain is whole"]);
    expect(readFileSync(join(folder.path, "head.jws"), "utf8").split(".")).toHaveLength(3);
  });

  it("in the formats guide print figures, tables and price files, and page through a table to the end", async () => {
    const steps = stepsIn("formats").map(({ command }) => here(command));
    const [, ...printed] = await runSteps([keys, ...steps], folder.path);
    const [spot, convert, january, year = "", beancount, ledger, byHeader] = printed;
    for (const figure of [spot, convert]) expect(figure).toMatch(/^\d+\.\d+$/);
    expect(january?.split("\r\n")).toHaveLength(1 + 31);
    const days = year.split("\r\n").filter((line) => !line.startsWith("bar_start,") && line !== "");
    expect(new Set(days.map((line) => line.slice(0, 10))).size).toBe(366);
    expect(days).toHaveLength(366);
    expect(beancount).toMatch(/^(2026-01-\d\d price XAU \d+\.\d+ USD\n?){31}$/);
    expect(ledger).toMatch(/^(P 2026-01-\d\d XAU \d+\.\d+ USD\n?){31}$/);
    expect(byHeader).toMatch(/^date,close\r\n\d{4}-/);
  });

  it("in the sources guide list every source, and the days of which bars are missing", async () => {
    const steps = stepsIn("sources").map(({ command }) => here(command));
    const [, made = "", sources = "", days = ""] = await runSteps([keys, ...steps], folder.path);
    expect(made).toContain("'primary', 'believed'");
    expect(sources).toMatch(/'simulated'/);
    expect(sources.match(/'simulated/g)?.length).toBeGreaterThan(2);
    expect(days).toMatch(/^\[/);
  });

  it.each([
    "keys-and-tiers",
    "delay-and-staleness",
    "streams",
    "physical",
    "limits",
    "methodology",
    "../operate/run",
    "agents",
    ...INTEGRATIONS,
  ])("in %s all succeed", async (name) => {
    const commands = stepsIn(name)
      .flatMap(({ command }) => command.split("\n"))
      .filter((line) => line.startsWith("curl "));
    expect(commands.length).toBeGreaterThan(0);
    const answers: unknown[] = [];
    const [, ...outputs] = await runSteps([keys, ...commands.map(here)], folder.path);
    for (const [index, command] of commands.entries()) {
      // The example's key does not exist; its answer says so.
      const expected = command.includes("DELETE") ? /"error":"key_not_found"/ : /^(?![\s\S]*"error":)/;
      const printed = outputs[index] ?? "";
      expect(printed, command).toMatch(expected);
      expect(printed.length, command).toBeGreaterThan(1);
      if (/[?&]format=/.test(command)) expect(printed, command).not.toMatch(/^[{[]/);
      if (printed.startsWith("{")) answers.push(JSON.parse(printed));
    }
    for (const path of pathsOf(textOf(name))) {
      expect(answers.flatMap((answer) => valuesAt(path, answer)).length, `${path} is in none of the answers`).toBeGreaterThan(0);
    }
  });
});

it("the alerts guide shows the receiver of the examples", () => {
  const [receiver] = blocksOf(textOf("alerts")).filter(({ language }) => language === "js");
  expect(receiver?.text).toBe(readFileSync(join(ROOT, "examples/alert-receiver.mjs"), "utf8"));
  expect(receiver?.text.trimEnd().split("\n")).toHaveLength(20);
});

it("no guide sends an Idempotency-Key that others can guess: with a replaced key it opens the new one", () => {
  const pages = readdirSync(join(ROOT, "docs/guides")).filter((name) => name.endsWith(".md"));
  const sent = pages.flatMap((name) => [...textOf(name.replace(".md", "")).matchAll(/Idempotency-Key: ([^"]+)"/g)]);
  expect(sent.length).toBeGreaterThan(0);
  for (const [header, value] of sent) expect(value, header).toMatch(/\$\(openssl rand -hex 16\)/);
});

/** POST /v1/quotes with a CSV file: a shop's stock, repriced. */
import { splitFields } from "@assay/contract";
import { FRIDAY_MS, makeRates, makeTick, RATES } from "@assay/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/start-test-app.ts";

let app: TestApp;
let key: string;

beforeAll(async () => {
  app = await startTestApp();
  await app.publish({
    ticks: [makeTick(1, { computedAtMs: FRIDAY_MS, price: "3110.34768" })],
    fx: [makeRates({ rates: { ...RATES, EUR: "1" } })],
  });
  ({ key } = await app.key("pro"));
});
afterAll(() => app.close());

const HEADER =
  "id,metal,weight,unit,karat,fineness,side,margin_percent,making_per_gram,making_percent,making_fixed,tax_percent,tax_on,round_to";
const STOCK = [
  HEADER,
  "ring-7,XAU,4.25,gram,18,,,3,12.50,,,21,making,0.05",
  "coin,XAU,1,oz,,999.9,buy,2,,,,,,",
  '"chain, short",XAU,10,gram,14,,sell,,,10,,8.1,all,1',
];

const send = (text: string, { query = "?currency=EUR", headers = {} as Record<string, string> } = {}) =>
  app.ask(`/v1/quotes${query}`, { method: "POST", key, rawBody: text, headers: { "Content-Type": "text/csv", ...headers } });
/** The rows of an answer by column, without empty cells. */
const rowsOf = (text: string): Record<string, string>[] => {
  const [header = [], ...rows] = text
    .split("\r\n")
    .filter((line) => line !== "")
    .map((line, at) => splitFields(line, ",", at + 1));
  return rows.map((cells) =>
    Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ""]).filter(([, cell]) => cell !== "")),
  );
};
/** An item as its row: the fields of objects by their path, all of them text. */
const flat = (item: object, before = ""): [string, string][] =>
  Object.entries(item).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "object" && value !== null
      ? flat(value, `${before}${name}.`)
      : [[`${before}${name}`, String(value)] as [string, string]],
  );
const faultOf = async (text: string, query?: string): Promise<string> => {
  const { status, json } = await send(text, query === undefined ? {} : { query });
  expect([status, json.error, json.issues.length]).toEqual([422, "validation_error", 1]);
  return json.issues[0].message;
};

describe("a file of pieces", () => {
  test("is answered as a file, a row for each, with the figures of the same pieces as JSON", async () => {
    const items = [
      {
        id: "ring-7",
        metal: "XAU",
        weight: "4.25",
        unit: "gram",
        karat: 18,
        margin_percent: "3",
        making: { per_gram: "12.50" },
        tax_percent: "21",
        tax_on: "making",
        round_to: "0.05",
      },
      { id: "coin", metal: "XAU", weight: "1", unit: "oz", fineness: "999.9", side: "buy", margin_percent: "2" },
      {
        id: "chain, short",
        metal: "XAU",
        weight: "10",
        unit: "gram",
        karat: 14,
        making: { percent: "10" },
        tax_percent: "8.1",
        round_to: "1",
      },
    ];
    const json = (await app.ask("/v1/quotes", { method: "POST", key, body: { currency: "EUR", items } })).json;
    for (const end of ["\n", "\r\n"]) {
      const { status, headers, text } = await send(STOCK.join(end) + end);
      expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
      expect(rowsOf(text)).toEqual(json.items.map((item: object) => Object.fromEntries(flat(item))));
    }
  });

  test("has a column for each charge, and is answered with one for its amount", async () => {
    const { text } = await send(
      "id,metal,weight,unit,Charge.Hallmark.fixed,charge.Hallmark.tax_percent,charge.wastage.percent,charge.wastage.of\r\n" +
        "a,XAU,10,gram,2.10,20,4,metal\r\nb,XAU,1,gram,,,,\r\nc,XAU,1,gram,,20,,\r\n",
    );
    const [a, b, c] = rowsOf(text);
    expect(a).toMatchObject({ "charge.Hallmark": "2.10", "charge.wastage": "40.00", tax: "0.42", total: "1042.52" });
    expect(b).toMatchObject({ total: "100.00" });
    expect(Object.keys(b ?? {}).filter((name) => name.startsWith("charge"))).toEqual([]);
    expect(c).toMatchObject({
      "error.path": "items[2].charges[0]",
      "error.message": "must be one of per_gram, percent, fixed",
    });
    expect(await faultOf("metal,weight,unit,charge.hallmark\r\nXAU,1,gram,2\r\n")).toContain('"charge.hallmark" is not a column');
  });

  test("may begin with a byte order mark, have columns in any order, blank rows, and a charset", async () => {
    const text = "\uFEFFunit,weight,metal\ngram,1,XAU\n\n,,\ngram,2,XAU\n";
    const { text: answer } = await send(text, { headers: { "Content-Type": "text/csv; charset=utf-8" } });
    expect(rowsOf(answer)).toMatchObject([{ total: "100.00" }, { total: "200.00" }]);
  });

  test("without its Content-Type is refused with a word about it", async () => {
    const { status, json } = await send(STOCK.join("\n"), { headers: { "Content-Type": "application/x-www-form-urlencoded" } });
    expect([status, json.issues[0]?.message]).toEqual([422, "must be JSON, or CSV with Content-Type: text/csv"]);
  });

  test("is refused with a column twice, and JSON with a name twice: one of two prices would be the wrong one", async () => {
    const { status, json } = await send("metal,weight,unit,unit\nXAU,1,gram,kg\n");
    expect([status, json.issues[0]?.message]).toEqual([422, 'line 1: the column "unit" is there twice']);
    const twice = '{"currency":"EUR","items":[{"metal":"XAU","weight":"1","unit":"gram","unit":"kg"}]}';
    const posted = await send(twice, { query: "", headers: { "Content-Type": "application/json" } });
    expect([posted.status, posted.json.issues]).toEqual([
      422,
      [{ path: ["body"], code: "invalid_json", message: 'must not have "unit" twice in one object' }],
    ]);
  });

  test("is answered as JSON or as a receipt where that is asked for", async () => {
    const text = STOCK.join("\n");
    for (const Accept of ["application/json", "application/json, text/plain, */*"]) {
      const { headers } = await send(text, { headers: { "Content-Type": "text/csv", Accept } });
      expect(headers.get("content-type")).toBe("application/json");
    }
    expect((await send(text, { query: "?currency=EUR&format=json" })).json.items).toHaveLength(3);
    const receipts = [
      await send(text, { query: "?currency=EUR&format=jws" }),
      await send(text, { headers: { Accept: "application/jose" } }),
    ];
    for (const receipt of receipts) {
      expect(receipt.headers.get("content-type")).toBe("application/jose");
      const said = JSON.parse(Buffer.from(receipt.text.split(".")[1] ?? "", "base64url").toString()); // a test's own
      expect(said.body.items).toHaveLength(3);
    }
  });

  test("has an error in the row of a bad piece, and the others are priced", async () => {
    const { status, text } = await send(
      `${HEADER}\na,XAU,1,gram,25,,,,,,,,,\nb,XAU,1,gram,,,,,,,,,,\nc,XAU,"4,25",gram,,,,,1,2,,,,`,
    );
    expect(status).toBe(200);
    const rows = rowsOf(text);
    expect(rows).toMatchObject([
      { id: "a", "error.path": "items[0].karat", "error.message": "must be a whole number from 1 to 24" },
      { id: "b", total: "100.00" },
      { id: "c", "error.path": "items[2].weight", "error.message": expect.stringContaining("must have a decimal point") },
    ]);
  });

  test("gives ids back as they are, but for what a spreadsheet would run", async () => {
    const ids = ["ring 7", "é—漢", 'say "yes"', "a;b", "'quoted", "-5", "=HYPERLINK(1)", "+49 170", "@SUM(A1)"];
    const text = `id,metal,weight,unit\n${ids.map((id) => `"${id.replaceAll('"', '""')}",XAU,1,gram`).join("\n")}`;
    const rows = rowsOf((await send(text)).text);
    const [kept, marked] = [ids.slice(0, 6), ids.slice(6)];
    expect(rows.map(({ id }) => id)).toEqual([...kept, ...marked.map((id) => `'${id}`)]);
  });
});

describe("a file that cannot be read is refused whole, with the line and a way", () => {
  test.each([
    ["semicolons", "id;metal;weight;unit\na;XAU;4,25;gram", "line 1: columns are separated by commas here"],
    ["tabs", "id\tmetal\na\tXAU", "line 1: columns are separated by commas here"],
    [
      "an unknown column",
      "id,metal,weight,unit,colour\n",
      /^line 1: "colour" is not a column: the columns are id, metal, weight/,
    ],
    ["a name every object has", "constructor,metal\n", /^line 1: "constructor" is not a column/],
    ["a column twice", "id,metal,metal\n", 'line 1: the column "metal" is there twice'],
    [
      "a decimal comma",
      "id,metal,weight,unit\na,XAU,4,25,gram",
      /^line 2: it has 5 fields, and the header has 4: decimals have a/,
    ],
    ["too few fields", "id,metal,weight,unit\na,XAU,4\n", "line 2: it has 3 fields, and the header has 4"],
    ["an open quote", 'id,metal\n"a,XAU\nb,XAU', /^line 2: not valid CSV/],
    ["a long line", `id,metal\n${"x".repeat(5_000)},XAU`, "line 2: the line is longer than 4096 characters"],
    ["no header", "\nid,metal", "line 1: the first line must name the columns"],
    ["nothing", "", "line 1: the first line must name the columns"],
    ["no rows", `${HEADER}\n`, "must have at least one piece"],
    ["too many rows", `metal,weight,unit\n${"XAU,1,gram\n".repeat(501)}`, "must have at most 500 pieces"],
  ] as const)("%s", async (_, text, message) => {
    expect(await faultOf(text)).toMatch(typeof message === "string" ? new RegExp(`^${message.replaceAll("[", "\\[")}`) : message);
  });

  test("with bytes that are not UTF-8", async () => {
    const response = await fetch(`${app.url}/v1/quotes?currency=EUR`, {
      method: "POST",
      headers: { "Content-Type": "text/csv", "X-API-Key": key },
      body: Buffer.from("id,metal\n\xe9,XAU", "latin1"),
    });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ issues: [{ path: ["body"], message: "must be UTF-8" }] });
  });
});

test("the currency is in the query of a file, and in the body of JSON", async () => {
  const issuesOf = async (reply: Promise<{ json: { issues: unknown[] } }>) => (await reply).json.issues;
  expect(await issuesOf(send(STOCK.join("\n"), { query: "" }))).toEqual([
    { path: ["query", "currency"], code: "invalid_value", message: "is required" },
  ]);
  expect(await issuesOf(send(STOCK.join("\n"), { query: "?currency=EUR&currency=USD" }))).toMatchObject([
    { path: ["query", "currency"], code: "repeated" },
  ]);
  const items = [{ metal: "XAU", weight: "1", unit: "gram" }];
  const posted = app.ask("/v1/quotes?currency=EUR", { method: "POST", key, body: { currency: "EUR", items } });
  expect(await issuesOf(posted)).toMatchObject([
    {
      path: ["query", "currency"],
      code: "unrecognized_parameter",
      message: expect.stringContaining("currency belongs in the body"),
    },
  ]);
});

test("routes without a list read a file as what it is not: JSON", async () => {
  const { status, json } = await app.ask("/v1/account/keys", {
    method: "POST",
    key,
    rawBody: "name\nci",
    headers: { "Content-Type": "text/csv" },
  });
  expect([status, json.issues[0].code]).toEqual([422, "invalid_json"]);
});

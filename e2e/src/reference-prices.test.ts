/** Central banks' daily prices end to end: a price that none of them supports is named in the status, and stays the price. */
import { contract, formatTimestamp } from "@assay/contract";
import { type Answering, openLiveUpstreams, payloads } from "@assay/testkit/upstreams";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { read, type Status, untilStatus } from "./harness/call.ts";
import { temporaryFolder } from "./harness/files.ts";
import { mintKey, type Service, startService } from "./harness/service.ts";

const today = () => formatTimestamp(Date.now()).slice(0, 10);

/** A dollar of 4 lei: gold at 300 lei a gram is 2332.76 USD, half of what the feeds report. */
const romania = () =>
  `<?xml version="1.0"?><DataSet xmlns="https://www.bnr.ro/xsd"><Body><OrigCurrency>RON</OrigCurrency><Cube date="${today()}"><Rate currency="USD">4.0000</Rate><Rate currency="XAU">300.0000</Rate></Cube></Body></DataSet>`;

/** A dollar of 4 zloty: gold at 564.68 zloty a gram is 4390.88 USD. */
const poland = (path: string): string =>
  path.startsWith("/api/cenyzlota/")
    ? `[{"data":"${today()}","cena":564.68}]`
    : `{"table":"A","currency":"dolar amerykański","code":"USD","rates":[{"no":"1/A/NBP/2026","effectiveDate":"${today()}","mid":4.0000}]}`;

const goldOnly =
  (payload: () => string): Answering =>
  (path) =>
    path.includes("XAU") ? { body: payload() } : { status: 404, body: "{}" };

const isOff = ({ reasons }: Status): boolean => reasons.some((reason) => reason.startsWith("off_reference: XAU-USD-SPOT"));

describe("central banks' daily prices", () => {
  let polandAnswers: () => void = () => undefined;
  const polandMayAnswer = new Promise<void>((resolve) => {
    polandAnswers = resolve;
  });
  let service: Service;
  let key = "";
  let close: () => Promise<void> = async () => undefined;
  beforeAll(async () => {
    const folder = await temporaryFolder();
    const live = await openLiveUpstreams({
      "gold-api": goldOnly(() => payloads.goldApi()),
      swissquote: goldOnly(payloads.swissquote),
      bnr: () => ({ body: romania() }),
      nbp: async (path) => {
        await polandMayAnswer;
        return { body: poland(path) };
      },
    });
    const settings = { ...live.settings, DATA_DIR: folder.path, TRUST_PROXY: "127.0.0.1" };
    key = (await mintKey(settings, "pro")).plaintext;
    service = await startService(settings);
    close = async () => {
      await service.stop("SIGKILL");
      await live.close();
      await folder.remove();
    };
  });
  afterAll(() => close());

  /** Gold's price, and what it is made of. */
  const gold = async () => {
    const { price, sources } = await read(service.url, contract.spot.get, { symbol: "XAU", include: "sources" }, { key });
    return [price, sources?.map(({ source }) => source)];
  };
  /** (4392.0 + 4389.38) / 2: the feeds' own prices. */
  const OURS = ["4390.69", ["gold-api", "swissquote"]];

  it("are named while none of them supports the price, without a figure", async () => {
    const { status, reasons, scrapers } = await untilStatus(service.url, "the price is off every reference", isOff);
    expect(status).toBe("degraded");
    expect(reasons).toContain(
      "off_reference: XAU-USD-SPOT is outside the agreement band of every daily price of central banks (bnr).",
    );
    expect(scrapers.bnr).toMatchObject({ status: "ok", required: false, rejected_observations: 0 });
    expect(await gold()).toEqual(OURS);
  });

  it("support it as soon as one of them is near", async () => {
    polandAnswers();
    await untilStatus(service.url, "Poland supports the price", (document) => !isOff(document), { withinMs: 180_000 });
    expect(await gold()).toEqual(OURS);
  });
});

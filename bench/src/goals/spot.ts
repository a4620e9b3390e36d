/** P1: a spot price with every check, compared with bare node:http sending the same bytes and headers. */
import type { Bench } from "../bench.ts";
import { startPart } from "../measure/child.ts";
import { compare, type Loader, medianOf, ratioOf } from "../measure/compare.ts";
import { rawAnswer } from "../measure/raw-answer.ts";
import type { ApiReady, ApiSettings } from "../ours/api-part.ts";
import type { BareSettings } from "../references/bare-http.ts";

const PATH = "/v1/spot/XAU-USD-SPOT";
const PLAN = { connections: 64, rounds: 15, roundMs: 1_000, isBusy: true };

/** Headers that node:http adds by itself. */
const AUTOMATIC = new Set(["Date", "Connection", "Keep-Alive"]);

/** The spot benchmark. */
export const spot: Bench = {
  ids: ["P1"],
  run: async ({ report }) => {
    const settings: ApiSettings = { store: { temporary: true } };
    const ours = await startPart<ApiReady>("assay-api", settings);
    const loader: Loader = await startPart("load", null);
    const answer = await rawAnswer(`${ours.ready.url}${PATH}`, { Authorization: `Bearer ${ours.ready.key}` });
    const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !AUTOMATIC.has(name)));
    const bare: BareSettings = { headers, body: answer.body };
    const reference = await startPart<{ port: number }>("bare-http", bare);

    const request = `GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${ours.ready.key}\r\n\r\n`;
    const [own, other] = await compare(
      loader,
      [
        { child: ours, port: ours.ready.port, request },
        { child: reference, port: reference.ready.port, request },
      ],
      PLAN,
    );
    await Promise.all([ours.stop(), reference.stop(), loader.stop()]);
    report({
      id: "P1",
      what: "spot with every check on, CPU per request against bare node:http with the same bytes",
      figure: ratioOf(own, other, "cpuMicros"),
      unit: "×",
      goal: { atMost: 1.3 },
      raw:
        `${medianOf(own, "cpuMicros").toFixed(1)} against ${medianOf(other, "cpuMicros").toFixed(1)} µs; ` +
        `${medianOf(own, "perSecond").toFixed(0)} against ${medianOf(other, "perSecond").toFixed(0)} requests/s`,
    });
  },
};

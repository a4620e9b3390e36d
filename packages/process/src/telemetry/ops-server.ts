/** The operator's port: metrics, liveness and readiness. */
import type { RequestListener } from "node:http";
import { type Listening, listenOn } from "../http/listen.ts";
import type { Meter } from "./meter.ts";
import type { Readiness } from "./readiness.ts";

/** What it shows, and where. */
export interface OpsServerOptions {
  readonly host: string;
  /** 0 picks any free port. */
  readonly port: number;
  readonly meter: Meter;
  readonly readiness: Readiness;
}

/** A page's status, type and text. */
type Page = () => Promise<readonly [status: number, type: string, text: string]>;

/**
 * Listens.
 * @throws AddressError when the address is unavailable
 */
export const openOpsServer = ({ host, port, meter, readiness }: OpsServerOptions): Promise<Listening> => {
  const pages: Readonly<Record<string, Page>> = {
    "/metrics": async () => [200, meter.contentType, await meter.text()],
    "/live": async () => [200, "text/plain; charset=utf-8", "ok\n"],
    "/ready": async () => {
      const report = await readiness.read();
      return [report.ready ? 200 : 503, "application/json", JSON.stringify(report)];
    },
  };
  const answer: RequestListener = (request, response) => {
    const path = request.url ?? "";
    const page = request.method === "GET" && Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (!page) {
      response.writeHead(404).end();
      return;
    }
    page().then(
      ([status, type, text]) => response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(text),
      () => response.writeHead(500).end(),
    );
  };
  return listenOn((create, settings) => create(settings, answer), { host, port, setting: "METRICS_PORT" });
};

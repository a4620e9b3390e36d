/** How late a writer composed its last prices, from its metrics. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** The metrics of a process that is not started yet. */
export interface Metrics {
  /** What it is started with. */
  readonly settings: { readonly METRICS_PORT: string };
  /** Milliseconds from the second at which they were due. */
  composeDelayMs(): Promise<number>;
}

const LINE = /^assay_writer_compose_delay_seconds ([\d.e-]+)$/m;

/** Takes a port for them. */
export const openMetrics = async (): Promise<Metrics> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on TCP
  server.close();
  await once(server, "close");
  return {
    settings: { METRICS_PORT: String(port) },
    composeDelayMs: async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
      const seconds = LINE.exec(await answer.text())?.[1];
      if (seconds === undefined) throw new Error("the metrics say nothing about composing");
      return Number(seconds) * 1_000;
    },
  };
};

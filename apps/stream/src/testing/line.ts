/** A TCP connection to the streams that a test can cut, freeze and redirect. */
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface Line {
  readonly url: string;
  readonly connections: () => number;
  /** Drops every connection without a close. */
  cut(): void;
  /** From now on nothing passes on the existing connections, and none of them closes: a half-open connection. */
  freeze(): void;
  /** Where new connections lead; null to refuse them. */
  lead(port: number | null): void;
}

export const openLine = async (to: number): Promise<Line> => {
  let port: number | null = to;
  let connections = 0;
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((near) => {
    near.on("error", () => undefined);
    if (port === null) {
      near.destroy();
      return;
    }
    connections += 1;
    const far = connect(port, "127.0.0.1");
    const pair = [near, far] as const;
    pairs.add(pair);
    far.on("error", () => undefined);
    near.pipe(far).pipe(near);
    near.on("close", () => {
      far.destroy();
      pairs.delete(pair);
    });
    far.on("close", () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = (): void => {
    for (const [near, far] of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    connections: () => connections,
    cut,
    freeze: () => {
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
        // Read and discarded, so that neither side notices.
        near.resume();
        far.resume();
      }
    },
    lead: (next) => {
      port = next;
    },
  };
};

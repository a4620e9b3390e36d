/** A proxy in front of an S3 test server: adds conditional PUTs, which the test server lacks, and forwards everything else. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

/** The proxy. */
export interface ConditionalS3 {
  readonly endpoint: string;
  /** Runs once, when the next PUT has arrived and before its condition is checked. */
  beforePut(work: () => Promise<void>): void;
  /** From now on conditions are ignored, as by a service that does not support them. */
  refuseConditions(): void;
  close(): Promise<void>;
}

const refuse = (response: ServerResponse, status: number, code: string): void =>
  void response.writeHead(status, { "Content-Type": "application/xml" }).end(`<Error><Code>${code}</Code></Error>`);

const bodyOf = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/**
 * Starts a proxy.
 * @param upstream the S3 server behind it
 */
export const conditionalS3 = async (upstream: string): Promise<ConditionalS3> => {
  const { hostname, port } = new URL(upstream);
  let work: (() => Promise<void>) | null = null;
  let hasConditions = true;
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url = "/", headers } = incoming;
    const { "if-match": match, "if-none-match": noneMatch } = headers;
    const body = await bodyOf(incoming);
    if (method === "PUT" && (match ?? noneMatch) !== undefined) {
      if (!hasConditions) return refuse(response, 501, "NotImplemented");
      const due = work;
      work = null;
      await due?.();
      const { status, headers: known } = await fetch(`${upstream}${url}`, { method: "HEAD" });
      const etag = status === 200 ? known.get("etag") : null;
      if (match === undefined ? etag !== null : etag !== match) return refuse(response, 412, "PreconditionFailed");
    }
    // The Host header is signed, so it is forwarded unchanged.
    const onward = request({ hostname, port, method, path: url, headers });
    onward.end(body);
    const [answer] = (await once(onward, "response")) as [IncomingMessage]; // chunks of a request body
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  };
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    beforePut: (next) => {
      work = next;
    },
    refuseConditions: () => {
      hasConditions = false;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

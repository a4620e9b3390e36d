/** An S3 service before another one: it adds the conditions of a PUT, which the one of the tests does not know, and sends all else on. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

/** The service before. */
export interface ConditionalS3 {
  readonly endpoint: string;
  /** Is done once, when the next PUT has come and before its condition is looked at. */
  beforePut(work: () => Promise<void>): void;
  /** From now on it answers conditions as a service that has none. */
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
 * Starts one.
 * @param upstream the service behind it
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
    // The host's name is signed, so it is handed on as it came.
    const onward = request({ hostname, port, method, path: url, headers });
    onward.end(body);
    const [answer] = (await once(onward, "response")) as [IncomingMessage]; // what a request's event brings
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

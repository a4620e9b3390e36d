/** HTTPS calls that trust a test's own certificate: `fetch` trusts only those known at the start of the process. */
import { type IncomingMessage, request } from "node:http";
import { Agent, request as tlsRequest } from "node:https";

/** How a request differs from a plain GET. */
export interface TlsAsking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer, read completely. */
export interface TlsAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

const WITHIN_MS = 30_000;

/** Opens a request; resolves when the headers of the answer are there. */
export const openAnswer = (
  url: string,
  ca: string,
  { method = "GET", headers = {}, body }: TlsAsking = {},
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const options = { method, headers, agent: new Agent({ ca }), timeout: WITHIN_MS };
    const sent = url.startsWith("https:")
      ? tlsRequest(url, options, resolve)
      : request(url, { method, headers, timeout: WITHIN_MS }, resolve);
    sent.on("timeout", () => sent.destroy(new Error(`no answer within ${WITHIN_MS} ms`)));
    sent.on("error", reject);
    sent.end(body);
  });

/** Requests a URL. */
export const askTls = async (url: string, ca: string, asking: TlsAsking = {}): Promise<TlsAnswer> => {
  const response = await openAnswer(url, ca, asking);
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
};

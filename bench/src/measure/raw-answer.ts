/** One raw answer of a server, for a reference to repeat or to be compared with. */
import { get } from "node:http";

/** A whole answer. */
export interface RawAnswer {
  readonly status: number;
  /** As written by the server, names in their original case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Makes one request. */
export const rawAnswer = (url: string, headers: Readonly<Record<string, string>>): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer); // a response without an encoding yields buffers
      const raw = response.rawHeaders;
      const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ""] as const] : []));
      resolve({
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(pairs),
        body: Buffer.concat(chunks).toString("utf8"),
      });
    }).once("error", reject);
  });

/** Clients that send requests continuously, and the outcome of every request. */
import { Agent, request } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";

interface Outcome {
  readonly startedMs: number;
  /** Null when there was no complete answer. */
  readonly status: number | null;
  readonly text: string;
  /** The error code of the connection. */
  readonly failure: string | null;
}

/** Sends one request; it never rejects. */
const askOnce = (agent: Agent, url: string, key: string): Promise<Outcome> =>
  new Promise((resolve) => {
    const startedMs = performance.now();
    const failed = (error: NodeJS.ErrnoException): void =>
      resolve({ startedMs, status: null, text: "", failure: error.code ?? error.message });
    const ask = agent instanceof TlsAgent ? tlsRequest : request;
    const sent = ask(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("error", failed);
      response.on("end", () => resolve({ startedMs, status: response.statusCode ?? null, text, failure: null }));
    });
    sent.on("error", failed);
    sent.end();
  });

export interface Load {
  readonly outcomes: readonly Outcome[];
  /** Lets every client finish its current request. */
  stop(): Promise<void>;
}

/**
 * Starts clients, each with its own connection; a client whose request failed stops.
 * @param ca the certificate to trust, of addresses with TLS
 */
export const startLoad = (urls: readonly string[], key: string, clients: number, ca?: string): Load => {
  const options = { keepAlive: true, maxSockets: clients };
  const agent = ca === undefined ? new Agent(options) : new TlsAgent({ ...options, ca });
  const outcomes: Outcome[] = [];
  let isOver = false;
  const work = async (client: number): Promise<void> => {
    for (let turn = client; !isOver; turn += 1) {
      const outcome = await askOnce(agent, urls[turn % urls.length] ?? "", key);
      outcomes.push(outcome);
      if (outcome.failure !== null) return;
    }
  };
  const working = Array.from({ length: clients }, (_, client) => work(client));
  return {
    outcomes,
    stop: async () => {
      isOver = true;
      await Promise.all(working);
      agent.destroy();
    },
  };
};

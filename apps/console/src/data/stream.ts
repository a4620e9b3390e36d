/** Opens a stream with the SDK, which is loaded when the first one is wanted. */
import type { Assay, ClientOptions, SubscribeOptions, Subscription } from "@assay/sdk/stream";
import { BASE, reach } from "./service.ts";

/** An open stream, and a way to break it. */
export interface OpenStream {
  readonly subscription: Subscription;
  /** Breaks its connections as a network would: the SDK notices, and resumes. */
  readonly cut: () => void;
}

type Lines = Required<Pick<ClientOptions, "fetch" | "WebSocket">>;

const clientOf = async (apiKey: string | null, lines: Lines): Promise<Assay> => {
  const { Assay } = await import("@assay/sdk/stream");
  // The reader's own key, pasted by them into their own page.
  return new Assay({ apiKey, baseUrl: BASE.replace(/\/$/, ""), ...lines, logLevel: "off", dangerouslyAllowBrowser: true });
};

/**
 * Opens a stream; it connects when it is read.
 * @param apiKey the reader's key; null without one
 * @param options what to follow
 */
export const openStream = async (apiKey: string | null, options: SubscribeOptions): Promise<OpenStream> => {
  const cuts = new Set<() => void>();
  const breakable: typeof globalThis.fetch = (input, init) => {
    const line = new AbortController();
    cuts.add(() => line.abort(new TypeError("cut by hand")));
    const signals = [line.signal, ...(init?.signal ? [init.signal] : [])];
    return reach(input, { ...init, signal: AbortSignal.any(signals) });
  };
  class BreakableSocket extends WebSocket {
    constructor(url: string) {
      super(url);
      cuts.add(() => {
        // What a browser reports when a line breaks; a close of our own would be a clean one.
        this.dispatchEvent(new Event("error"));
        this.close();
      });
    }
  }
  const assay = await clientOf(apiKey, { fetch: breakable, WebSocket: BreakableSocket });
  return {
    subscription: assay.stream.subscribe(options),
    cut: () => {
      for (const end of cuts) end();
      cuts.clear();
    },
  };
};

/** The client with streams. */
import type { ClientOptions } from "../core/options.ts";
import { Assay as RestAssay } from "../generated/assay.ts";
import { StreamResource } from "./stream-resource.ts";

/**
 * The client of `@assay/sdk`, with streams in addition to its resources.
 *
 * @example
 * ```ts
 * const assay = new Assay({ apiKey: process.env.ASSAY_API_KEY, baseUrl: "https://prices.example.com" });
 *
 * for await (const event of assay.stream.subscribe({ symbols: ["XAU-USD-SPOT"] })) {
 *   if (event.type === "tick") console.log(event.seq, event.price.text);
 *   if (event.type === "gap") console.warn(`${event.fromSeq} to ${event.toSeq} are missing: ${event.reason}`);
 * }
 * ```
 */
export class Assay extends RestAssay {
  /** Live ticks, dealers' quotes, gaps and heartbeats. */
  readonly stream: StreamResource;

  /**
   * @param options settings; each has a default
   * @throws {TypeError} for an invalid option
   * @throws {RangeError} when a number is out of range
   * @throws {AssayError} in a browser, unless `dangerouslyAllowBrowser` is set
   */
  constructor(options: ClientOptions = {}) {
    super(options);
    this.stream = new StreamResource(options, this.bars);
  }
}

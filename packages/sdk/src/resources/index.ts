/** `@assay/sdk/resources`: a client of the resources that a program uses, so that its bundle holds no others. */
// biome-ignore-all assist/source/organizeImports: decimal.js first, for the reason given in `index.ts`
export { Decimal, PublishedDecimal } from "../core/published-decimal.ts";
import { Client } from "../core/client.ts";
import type { ClientOptions } from "../core/options.ts";
import { errorRegistry } from "../generated/errors.ts";

export * from "../generated/resources/index.ts";

/** A class of a resource, such as `SpotResource`. */
export type ResourceClass = new (client: Client) => object;

/** A client with a property for each resource given. */
export type AssayOf<R extends Readonly<Record<string, ResourceClass>>> = Client & {
  readonly [Name in keyof R]: InstanceType<R[Name]>;
};

/**
 * Makes a client of some resources, with all that `Assay` has besides.
 *
 * @example
 * ```ts
 * const assay = assayWith({ spot: SpotResource, bars: BarsResource });
 * const { price } = await assay.spot.get("gold");
 * ```
 * @param resources their classes, by the name of their property
 * @param options settings; each has a default
 * @throws the same errors as the constructor of `Assay`
 */
export const assayWith = <const R extends Readonly<Record<string, ResourceClass>>>(
  resources: R,
  options: ClientOptions = {},
): AssayOf<R> => {
  class Assay extends Client {
    constructor(own: ClientOptions) {
      super(own, errorRegistry);
      for (const [name, Resource] of Object.entries(resources)) Object.defineProperty(this, name, { value: new Resource(this) });
    }
  }
  return new Assay(options) as AssayOf<R>; // each is defined in the constructor
};

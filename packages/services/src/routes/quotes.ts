/** A counter's question: many pieces priced at one moment, each judged on its own. */
import { catalogue } from "@assay/catalogue";
import {
  type AssayContract,
  type Fail,
  Fault,
  formatTimestamp,
  MINUTE_MS,
  type OutputOf,
  type PieceRequest,
  TIER_NAMES,
  type TierCatalog,
  type Verb,
} from "@assay/contract";
import { type Addition, compareDecimalText, minorUnits, purityShare, quotePiece } from "@assay/pricing";
import { allowsSymbol } from "../access/gate.ts";
import type { Caller, ServiceDeps, VerbContext } from "../context.ts";
import { billTotals } from "../prices/bill-totals.ts";
import { MetalPrices } from "../prices/metal-prices.ts";

type PieceError = NonNullable<OutputOf<Create>["items"][number]["error"]>;

/** Where something is: field names, and places in lists. */
type Path = readonly (string | number)[];

/** Why a piece has no price. */
interface PieceFault {
  readonly code: PieceError["code"];
  readonly message: string;
  /** From the piece on. */
  readonly path: Path;
  /** The metal that the caller's tier lacks. */
  readonly metal?: string;
}

/** `items[3].making.fixed` */
const pathText = (path: Path): string =>
  path.map((part, place) => (typeof part === "number" ? `[${part}]` : place === 0 ? part : `.${part}`)).join("");

/**
 * Refuses a request without a single price: by the tier when that alone is in the way, by the market when no metal has a price,
 * and otherwise with an issue for each piece.
 */
const refuseAll = (
  faults: readonly { readonly at: Path; readonly fault: PieceFault }[],
  { catalog, caller: { tier } }: { readonly catalog: TierCatalog; readonly caller: Pick<Caller, "tier"> },
  fail: Fail<Create>,
): never => {
  const [first] = faults;
  const areAll = (code: PieceFault["code"]): boolean => faults.every(({ fault }) => fault.code === code);
  if (areAll("plan_gated")) {
    const metals = faults.flatMap(({ fault: { metal } }) => metal ?? []);
    const includesAll = (each: (typeof TIER_NAMES)[number]): boolean =>
      metals.every((metal) => allowsSymbol(catalog, each, { metal, contractType: "spot" }));
    return fail("plan_gated", { tier, required_tier: TIER_NAMES.find(includesAll) ?? "realtime_pro" });
  }
  if (first && areAll("spot_unavailable")) return fail("spot_unavailable", { message: first.fault.message });
  return fail("validation_error", {
    message: "None of the pieces can be priced.",
    issues: faults.map(({ at, fault: { code, message } }) => ({ path: ["body", ...at], code, message })),
  });
};

type Create = AssayContract["quotes"]["create"];
type Item = OutputOf<Create>["items"][number];
/** The lines of a piece that has a price, with its id if it has one. */
type Lines = Pick<Item, "id" | "rounding" | "charges"> & {
  readonly [K in Exclude<keyof Item, "id" | "rounding" | "charges" | "error">]-?: NonNullable<Item[K]>;
};

/** The id of a piece that could not be read, if that at least is text. */
const givenId = ({ given }: Fault): string | undefined => {
  const id = typeof given === "object" && given !== null && "id" in given ? given.id : undefined;
  return typeof id === "string" && id.length <= 64 ? id : undefined;
};

/** The schema lets exactly one way pass. */
const additionOf = ({ per_gram, percent, fixed = "0" }: NonNullable<PieceRequest["making"]>): Addition => {
  if (per_gram !== undefined) return { per_gram };
  return percent === undefined ? { fixed } : { percent };
};

/** What was asked of a piece, but for what its lines say. */
const askedOf = ({ id: _, metal: __, side: ___, fineness, ...asked }: PieceRequest): Lines["asked"] => ({
  ...asked,
  ...(fineness !== undefined && { fineness: String(fineness) }),
});

/** What the schema of a piece cannot see; undefined when nothing is wrong. */
const senseless = ({ metal, karat, side, margin_percent }: PieceRequest): PieceFault | undefined => {
  if (karat !== undefined && !catalogue.metal(metal).karats) {
    return { code: "validation_error", message: "is a purity of gold; that of other metals is fineness", path: ["karat"] };
  }
  if (side === "buy" && margin_percent !== undefined && compareDecimalText(margin_percent, "100") > 0) {
    return { code: "validation_error", message: "must be at most 100 of what you buy", path: ["margin_percent"] };
  }
  return undefined;
};

class Counter {
  readonly prices: MetalPrices;
  readonly #catalog: TierCatalog;
  readonly #caller: Caller;
  readonly #decimals: number;

  constructor(prices: MetalPrices, catalog: TierCatalog, caller: Caller, decimals: number) {
    this.prices = prices;
    this.#catalog = catalog;
    this.#caller = caller;
    this.#decimals = decimals;
  }

  /** The lines of a piece, or why it has none. */
  price(piece: PieceRequest): Lines | PieceFault {
    const { metal, side } = piece;
    if (!allowsSymbol(this.#catalog, this.#caller.tier, { metal, contractType: "spot" })) {
      return { code: "plan_gated", message: `Your tier does not include ${metal}.`, path: ["metal"], metal };
    }
    const fault = senseless(piece);
    if (fault) return fault;
    const price = this.prices.of(metal, side);
    if (typeof price === "string") return { code: "spot_unavailable", message: price, path: ["metal"] };
    const quoted = quotePiece(
      {
        weight: piece.weight,
        unit: piece.unit,
        purity: purityShare(piece),
        side,
        marginPercent: piece.margin_percent,
        making: piece.making && additionOf(piece.making),
        charges: piece.charges?.map(({ name, of = "metal", tax_percent: taxPercent, ...ways }) => ({
          name,
          addition: additionOf(ways),
          of,
          taxPercent,
        })),
        taxPercent: piece.tax_percent,
        taxOn: piece.tax_on,
        roundTo: piece.round_to,
      },
      price.finePrice,
      this.#decimals,
    );
    return {
      id: piece.id,
      metal,
      side,
      is_stale: price.shown.is_stale,
      fine_weight_grams: quoted.fineWeightGrams,
      metal_value: quoted.metalValue,
      margin: quoted.margin,
      making: quoted.making,
      ...(piece.charges && { charges: [...quoted.charges] }),
      tax: quoted.tax,
      total: quoted.total,
      ...(quoted.rounding !== undefined && { rounding: quoted.rounding }),
      weight_grams: quoted.weightGrams,
      asked: askedOf(piece),
    };
  }
}

const isFault = (result: Lines | PieceFault): result is PieceFault => "code" in result;

/** `POST /v1/quotes`: prices pieces; refuses the request only when none of them has a price. */
export const createQuotes =
  ({ catalog, market }: Pick<ServiceDeps, "catalog" | "market">): Verb<Create, VerbContext> =>
  ({ currency, basis, hold_minutes: holdMinutes, items }, { caller, nowMs, asOfMs, fail }) => {
    const decimals = minorUnits(currency);
    const metalPrices = new MetalPrices(market, currency, asOfMs, basis?.premium_percent);
    const counter = new Counter(metalPrices, catalog, caller, decimals);
    const priced: Lines[] = [];
    const faults: { readonly at: Path; readonly fault: PieceFault }[] = [];
    const answered = items.map((item, index): Item => {
      const result: Lines | PieceFault =
        item instanceof Fault ? { code: "validation_error", message: item.message, path: item.path } : counter.price(item);
      if (!isFault(result)) {
        priced.push(result);
        return result;
      }
      const id = item instanceof Fault ? givenId(item) : item.id;
      const at = ["items", index, ...result.path];
      faults.push({ at, fault: result });
      return { id, error: { code: result.code, message: result.message, path: pathText(at) } };
    });
    const prices = counter.prices.used();
    if (priced.length === 0) return refuseAll(faults, { catalog, caller }, fail);
    return {
      currency,
      computed_at: formatTimestamp(Math.min(...prices.map(({ computedAtMs }) => computedAtMs))),
      ...(holdMinutes !== undefined && { valid_until: formatTimestamp(nowMs + holdMinutes * MINUTE_MS) }),
      prices: prices.map(({ shown }) => shown),
      items: answered,
      totals: billTotals(priced, decimals),
    };
  };

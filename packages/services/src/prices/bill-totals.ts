/** The totals of a bill: sums of what its pieces show, by side. */
import type { AssayContract, OutputOf } from "@assay/contract";
import { differenceOfShown, isNothing, sumOfShown } from "@assay/pricing";

type Bill = OutputOf<AssayContract["quotes"]["create"]>;
type Side = Bill["totals"]["sell"];

/** The lines of a piece that are added up. */
interface Lines {
  readonly side: "sell" | "buy";
  readonly metal_value: string;
  readonly margin: string;
  readonly making: string;
  readonly charges?: readonly { readonly amount: string }[] | undefined;
  readonly tax: string;
  readonly rounding?: string | undefined;
  readonly total: string;
}

type Line = Exclude<keyof Lines, "side" | "charges">;

const sumOf = (pieces: readonly Lines[], line: Line, decimals: number): string =>
  sumOfShown(
    pieces.map((piece) => piece[line] ?? "0"),
    decimals,
  );

const sideTotals = (pieces: readonly Lines[], decimals: number): Side => {
  const sum = (line: Line): string => sumOf(pieces, line, decimals);
  const rounding = sum("rounding");
  return {
    metal_value: sum("metal_value"),
    margin: sum("margin"),
    charges: sumOfShown(
      pieces.flatMap(({ making, charges = [] }) => [making, ...charges.map(({ amount }) => amount)]),
      decimals,
    ),
    tax: sum("tax"),
    ...(!isNothing(rounding) && { rounding }),
    total: sum("total"),
  };
};

/**
 * Adds up a bill.
 * @param pieces those with a price
 * @param decimals the currency's minor units
 */
export const billTotals = (pieces: readonly Lines[], decimals: number): Bill["totals"] => {
  const sum = (line: Line): string => sumOf(pieces, line, decimals);
  const of = (wanted: Lines["side"]): Side =>
    sideTotals(
      pieces.filter(({ side }) => side === wanted),
      decimals,
    );
  const [sell, buy] = [of("sell"), of("buy")];
  return {
    metal_value: sum("metal_value"),
    making: sum("making"),
    tax: sum("tax"),
    total: sum("total"),
    sell,
    buy,
    due: differenceOfShown(sell.total, buy.total, decimals),
  };
};

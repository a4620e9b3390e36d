/** What the pieces cost: asked again while the page is open, and once more, signed, for a receipt. */
import type { Wire } from "@assay/sdk/trpc";
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Answer, useQuestion } from "../../data/answers.ts";
import { currency } from "../../data/choices.ts";
import { key, session } from "../../data/key.ts";
import { decodePart, post } from "../../data/plain.ts";
import { pieces } from "./pieces.ts";
import type { QuoteRequest } from "./quote-request.ts";
import { readPiece } from "./quote-request.ts";

const PATH = "v1/quotes";

/** The question as it is typed; null while no piece can be priced. */
const typed = computed<QuoteRequest | null>(() => {
  const items = pieces.value.flatMap((piece) => {
    const read = readPiece(piece);
    return "asked" in read ? [read.asked] : [];
  });
  return items.length === 0 ? null : { currency: currency.value, items };
});

/** It as text, by which two are the same. */
const typedText = computed(() => (typed.value === null ? null : JSON.stringify(typed.value)));

/** The question that is asked: what was typed, once it has rested. */
const askedText = signal<string | null>(typedText.peek());

/** How long typing must rest, and how often prices are read again. Without a key each time is one of ten calls a minute. */
const pace = (): { readonly restMs: number; readonly everySeconds: number } =>
  key.value === null ? { restMs: 1_200, everySeconds: 60 } : { restMs: 350, everySeconds: 10 };

/** The bill of what is typed now; null while it is being typed or priced. */
export interface BillView extends Pick<Answer<unknown>, "error" | "askAgain"> {
  readonly bill: Wire.Bill | null;
  readonly isAsked: boolean;
  readonly everySeconds: number;
}

export const useBill = (): BillView => {
  const text = typedText.value;
  const { restMs, everySeconds } = pace();
  useEffect(() => {
    const timer = setTimeout(() => {
      askedText.value = text;
    }, restMs);
    return () => clearTimeout(timer);
  }, [text, restMs]);
  const asked = askedText.value;
  const { data, error, askAgain } = useQuestion(
    [session.value, "quotes", asked],
    async (stop) => JSON.parse(await post(PATH, JSON.parse(asked ?? "null"), stop)) as Wire.Bill, // the contract's own shape
    { everySeconds, isWanted: asked !== null },
  );
  const isCurrent = text !== null && text === asked;
  return {
    bill: isCurrent ? (data ?? null) : null,
    error: isCurrent ? error : null,
    askAgain,
    isAsked: text !== null,
    everySeconds,
  };
};

/** A receipt: the signed text, and what it says. */
export interface Receipt {
  readonly jws: string;
  readonly issuedAtMs: number;
  readonly bill: Wire.Bill;
  /** What was asked for, by which the bill's pieces are named. */
  readonly asked: QuoteRequest;
}

/** Asks for the bill of what is typed now, signed: its figures are those of the receipt, not those that were shown before. */
export const askReceipt = async (): Promise<Receipt> => {
  const asked = typed.peek();
  if (asked === null) throw new Error("nothing to price");
  const jws = await post(`${PATH}?format=jws`, asked);
  const claims = decodePart(jws.split(".")[1] ?? "") as { readonly iat: number; readonly body: Wire.Bill }; // as the guide of receipts has them
  return { jws, issuedAtMs: claims.iat * 1_000, bill: claims.body, asked };
};

export const isOfNow = ({ asked }: Receipt): boolean => JSON.stringify(asked) === typedText.value;

/** What is typed now, for the lines of "as a call". */
export const askedNow = (): QuoteRequest | null => typed.value;

/** The receipt: the bill of one moment, signed, to print and to keep. */
import type { Wire } from "@assay/sdk/trpc";
import { effect, signal, useSignal } from "@preact/signals";
import { metalText, unitText } from "../../data/catalogue.ts";
import { instantText } from "../../data/clock.ts";
import { recall, remember } from "../../data/memory.ts";
import { save } from "../../data/plain.ts";
import { text } from "../../text/text.ts";
import { ConfirmButton } from "../../ui/buttons.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { figures, Heads } from "../../ui/table.tsx";
import { askReceipt, isOfNow, type Receipt } from "./bill.ts";
import { Parts } from "./piece-card.tsx";
import { clearPieces, pieces } from "./pieces.ts";
import { finenessText, type RequestedPiece } from "./quote-request.ts";
import { sumsOf } from "./sums.ts";
import { modeText, type Origin, payerText, staleLines, useOrigin } from "./total-panel.tsx";

const KEPT = "counter.heading";
/** What a printed receipt is headed with, kept in this browser; empty for nothing. */
const heading = signal(recall(KEPT) ?? "");

effect(() => remember(KEPT, heading.value === "" ? null : heading.value));

const purityText = ({ karat, fineness }: RequestedPiece): string =>
  karat !== undefined ? text().names.karat({ karat }) : fineness !== undefined ? finenessText(fineness) : text().counter.pure;

interface LineProps {
  readonly asked: RequestedPiece;
  readonly quoted: Wire.QuotedPiece;
  readonly name: string;
}

const Line = ({ asked, quoted, name }: LineProps) => (
  <tr>
    <th scope="row">
      <bdi>{name}</bdi>
      <span class="soft second">
        <span>
          {metalText(asked.metal)} · {purityText(asked)} · <Figure of={asked.weight} /> {unitText(asked.unit)}
          {asked.side === "buy" ? ` · ${text().counter.boughtByUs}` : ""}
        </span>
      </span>
      {quoted.error === undefined ? (
        <span class="soft second">
          <Parts of={quoted} />
        </span>
      ) : null}
    </th>
    <td class="number">{quoted.error === undefined ? <Figure of={quoted.total} /> : quoted.error.message}</td>
  </tr>
);

/** A receipt, and where its prices came from when it was made. */
interface Made extends Receipt {
  readonly origin: Origin;
}

/** What the customer must know of the prices, if anything. */
const Warnings = ({ made: { bill, origin } }: { readonly made: Made }) => {
  const said = [
    modeText(origin),
    origin.delay === null || origin.delay === 0 ? null : text().price.late({ minutes: origin.delay }),
    ...staleLines(bill),
  ].filter((part) => part !== null);
  return said.length === 0 ? null : <p class="warnings">{said.join(" · ")}</p>;
};

/** The sheet that is printed: what the receipt says, and nothing else. */
const Sheet = ({ made }: { readonly made: Made }) => {
  const { bill, asked, issuedAtMs } = made;
  const sums = sumsOf(bill);
  const named = new Map(
    pieces.value.map((piece, place) => [piece.id, piece.name.value.trim() || text().counter.piece({ place: place + 1 })]),
  );
  return (
    <div class="sheet">
      <h3>
        <bdi>{heading.value.trim() === "" ? text().counter.receipt : heading}</bdi>
      </h3>
      <p class="soft">
        {text().counter.sheetHead({
          when: instantText(issuedAtMs),
          currency: bill.currency,
          pricesAt: instantText(Date.parse(bill.computed_at)),
        })}
      </p>
      <Warnings made={made} />
      <table>
        <Heads columns={[text().counter.sheetPiece, ...figures(text().counter.sheetTotal({ currency: bill.currency }))]} />
        <tbody>
          {asked.items.map((piece, place) => (
            <Line key={piece.id} asked={piece} quoted={bill.items[place] ?? {}} name={named.get(piece.id) ?? piece.id} />
          ))}
        </tbody>
      </table>
      {sums === null ? null : (
        <p class="due">
          {payerText(sums)} <Figure of={sums.due} unit={bill.currency} />
        </p>
      )}
      <p class="soft">
        {bill.prices.map(({ metal, side, price_per_fine_gram: price, is_stale }) => (
          <span key={`${metal} ${side}`} class="whole-line">
            {(side === "buy" ? text().counter.fineGramBought : text().counter.fineGramSold)({
              metal: metalText(metal),
              price: <Figure of={price} unit={bill.currency} />,
            })}
            {is_stale ? ` (${text().ui.stale})` : ""}
          </span>
        ))}
      </p>
    </div>
  );
};

const fileName = ({ issuedAtMs }: Receipt): string =>
  `quote-${new Date(issuedAtMs).toISOString().replaceAll(":", "").replace(".000Z", "Z")}.jws`;

export const ReceiptPanel = ({ isReady }: { readonly isReady: boolean }) => {
  const receipt = useSignal<Made | null>(null);
  const origin = useOrigin();
  const error = useSignal<Error | null>(null);
  const isAsking = useSignal(false);
  const make = async (): Promise<void> => {
    isAsking.value = true;
    error.value = null;
    try {
      receipt.value = { ...(await askReceipt()), origin };
    } catch (cause) {
      error.value = cause instanceof Error ? cause : new Error(String(cause));
    }
    isAsking.value = false;
  };
  const made = receipt.value;
  return (
    <section class="panel receipt" aria-label={text().counter.receipt}>
      <div class="actions">
        <button type="button" class="primary" disabled={!isReady || isAsking.value} onClick={make}>
          {isAsking.value ? text().counter.signing : made === null ? text().counter.makeReceipt : text().counter.makeAgain}
        </button>
        <ConfirmButton
          text={text().counter.nextCustomer}
          question={text().counter.clearPieces}
          onConfirm={() => {
            receipt.value = null;
            clearPieces();
          }}
        />
      </div>
      {error.value === null ? null : <Refusal error={error.value} askAgain={make} />}
      {made === null ? (
        <p class="soft note">{text().counter.receiptWhat}</p>
      ) : (
        <>
          {isOfNow(made) ? null : (
            <p class="fault" role="status">
              {text().counter.changedSince}
            </p>
          )}
          <Sheet made={made} />
          <label class="field heading">
            <span class="soft">{text().counter.heading}</span>
            <input
              maxLength={80}
              dir="auto"
              value={heading}
              onInput={({ currentTarget }) => {
                heading.value = currentTarget.value;
              }}
            />
          </label>
          <div class="actions">
            <button type="button" onClick={() => print()}>
              {text().counter.print}
            </button>
            <button type="button" onClick={() => save(fileName(made), made.jws, "application/jose")}>
              {text().counter.save}
            </button>
          </div>
        </>
      )}
    </section>
  );
};

/** The counter: what pieces of metal cost now, on a shop's terms, to be kept open beside the scales. */
import "../../ui/counter.css";
import { currencyOptions } from "../../data/catalogue.ts";
import { currency } from "../../data/choices.ts";
import { text } from "../../text/text.ts";
import { AsCall } from "../../ui/call.tsx";
import { Select } from "../../ui/choose.tsx";
import { PageHead } from "../../ui/panel.tsx";
import { askedNow, type BillView, useBill } from "./bill.ts";
import { PieceCard } from "./piece-card.tsx";
import { addPiece, MOST, pieces } from "./pieces.ts";
import { readPiece } from "./quote-request.ts";
import { ReceiptPanel } from "./receipt-panel.tsx";
import { TotalPanel } from "./total-panel.tsx";

/** What stands in the lines until something is weighed. */
const EXAMPLE = { items: [{ metal: "XAU", weight: "4.25", unit: "gram", karat: 18 }] };

/** The body as the SDK takes it: its own names, as an expression. */
const asExpression = (json: string): string =>
  json.replaceAll(/"(\w+)":/g, (_, name: string) => `${name.replaceAll(/_(\w)/g, (__, first: string) => first.toUpperCase())}: `);

const calls = () => {
  const asked = askedNow() ?? { currency: currency.value, ...EXAMPLE };
  // The names that this page gives its pieces say nothing to others.
  const body = { ...asked, items: asked.items.map(({ id: _, ...item }: { readonly id?: string }) => item) };
  const json = JSON.stringify(body);
  return [
    {
      what: text().calls.bill,
      path: "v1/quotes",
      curl: `-X POST -H "Content-Type: application/json" -d '${json}' `,
      sdk: `assay.quotes.create(${asExpression(json)})`,
      isOpen: true,
    },
  ];
};

const Pieces = ({ view: { bill } }: { readonly view: BillView }) => (
  <ol class="pieces">
    {pieces.value.map((piece, place) => (
      <PieceCard
        key={piece.id}
        piece={piece}
        place={place + 1}
        isPriced={"asked" in readPiece(piece)}
        quoted={bill?.items.find(({ id }) => id === piece.id)}
      />
    ))}
  </ol>
);

export const CounterPage = () => {
  const view = useBill();
  return (
    <div class="page counter">
      <PageHead
        title={text().ui.pages.counter}
        aside={<Select label={text().ui.currency} chosen={currency} options={currencyOptions()} />}
      >
        {text().counter.intro({
          pace:
            view.everySeconds === 60 ? text().counter.everyMinute : text().counter.everySeconds({ seconds: view.everySeconds }),
        })}
      </PageHead>
      <div class="lay">
        <Pieces view={view} />
        <button type="button" class="add" disabled={pieces.value.length >= MOST} onClick={addPiece}>
          {text().counter.addPiece}
        </button>
      </div>
      <div class="till">
        <TotalPanel view={view} />
        <ReceiptPanel isReady={view.bill !== null} />
      </div>
      <AsCall calls={calls()} />
    </div>
  );
};

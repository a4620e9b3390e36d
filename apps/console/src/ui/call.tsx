/** "As a call": the request and the SDK lines that give the figures of a page, to copy. */
import { key } from "../data/key.ts";
import { at } from "../data/service.ts";
import { text as lines } from "../text/text.ts";
import { useCopy } from "./buttons.tsx";
import { Wide } from "./table.tsx";

interface Call {
  readonly what: string;
  /** Path and query below the base, without a slash in front. */
  readonly path: string;
  /** The SDK's expression, without `await`. */
  readonly sdk: string;
  /** More of curl's arguments, such as a method. */
  readonly curl?: string;
  /** Whether it is answered without a key. */
  readonly isOpen?: boolean;
}

const hasKey = ({ isOpen = false }: Call): boolean => key.value !== null || !isOpen;

/** A key is never written out: the shell has it. */
const curlOf = (call: Call): string => {
  const { path, curl = "" } = call;
  return `curl ${curl}${hasKey(call) ? '-H "Authorization: Bearer $ASSAY_API_KEY" ' : ""}"${at(path)}"`;
};

const sdkOf = (call: Call): string => {
  const isStream = call.sdk.includes(".stream.");
  return [
    `import { Assay } from "@assay/sdk${isStream ? "/stream" : ""}";`,
    "",
    `const assay = new Assay({ baseUrl: "${at("").replace(/\/$/, "")}"${hasKey(call) ? "" : ", apiKey: null"} });`,
    ...(isStream
      ? [`for await (const event of ${call.sdk})`, '  if (event.type === "tick") console.log(event.seq, event.price.text);']
      : [`const answer = await ${call.sdk};`]),
  ].join("\n");
};

const Lines = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const [said, copy] = useCopy(text);
  return (
    <div class="lines">
      <header>
        <span>{label}</span>
        <button type="button" class="small" onClick={copy}>
          <span aria-live="polite">{said}</span>
          <span class="unseen"> ({label})</span>
        </button>
      </header>
      <Wide label={lines().calls.linesFor({ label })}>
        <pre dir="ltr">{text}</pre>
      </Wide>
    </div>
  );
};

/** The calls behind a page, folded away until wanted. */
export const AsCall = ({ calls }: { readonly calls: readonly Call[] }) => (
  <details class="panel as-call">
    <summary>{lines().calls.title}</summary>
    {calls.map((call) => (
      <section key={call.what} aria-label={call.what}>
        <h3>{call.what}</h3>
        <div class="pair">
          <Lines label="curl" text={curlOf(call)} />
          <Lines label="TypeScript" text={sdkOf(call)} />
        </div>
      </section>
    ))}
    <p class="soft">{lines().calls.reference({ link: <a href={at("docs")}>{lines().calls.referenceLink}</a> })}</p>
  </details>
);

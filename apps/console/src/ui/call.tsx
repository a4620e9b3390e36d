/** "As a call": the request and the SDK lines that give the figures of a page, to copy. */
import { useSignal } from "@preact/signals";
import { at } from "../data/base.ts";
import { key } from "../data/key.ts";
import { Wide } from "./panel.tsx";

/** One call. */
export interface Call {
  /** What it gives. */
  readonly what: string;
  /** Path and query below the base, without a slash in front. */
  readonly path: string;
  /** The SDK's expression, without `await`. */
  readonly sdk: string;
  /** More of curl's arguments, such as a method. */
  readonly curl?: string;
}

/** A key is never written out: the shell has it. */
const curlOf = ({ path, curl = "" }: Call): string =>
  `curl ${curl}${key.value === null ? "" : '-H "Authorization: Bearer $ASSAY_API_KEY" '}"${at(path)}"`;

const sdkOf = ({ sdk }: Call): string =>
  [
    `import { Assay } from "@assay/sdk${sdk.includes(".stream.") ? "/stream" : ""}";`,
    "",
    `const assay = new Assay({ baseUrl: "${at("").replace(/\/$/, "")}"${key.value === null ? ", apiKey: null" : ""} });`,
    `const answer = await ${sdk};`,
  ].join("\n");

const Lines = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const said = useSignal("Copy");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = "Copied";
    } catch {
      said.value = "Select and copy by hand"; // not allowed, as over plain http
    }
  };
  return (
    <div class="lines">
      <header>
        <span>{label}</span>
        <button type="button" class="small" onClick={copy}>
          <span aria-live="polite">{said}</span>
          <span class="unseen"> the lines for {label}</span>
        </button>
      </header>
      <Wide label={`Lines for ${label}`}>
        <pre>{text}</pre>
      </Wide>
    </div>
  );
};

/** The calls behind a page, folded away until wanted. */
export const AsCall = ({ calls }: { readonly calls: readonly Call[] }) => (
  <details class="panel as-call">
    <summary>As a call</summary>
    {calls.map((call) => (
      <section key={call.what} aria-label={call.what}>
        <h3>{call.what}</h3>
        <div class="pair">
          <Lines label="curl" text={curlOf(call)} />
          <Lines label="TypeScript" text={sdkOf(call)} />
        </div>
      </section>
    ))}
    <p class="soft">
      Every route, with its parameters, is in <a href={at("docs")}>the reference</a>.
    </p>
  </details>
);

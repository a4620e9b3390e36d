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

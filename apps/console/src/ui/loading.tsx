/** What stands where something will be: while it is loaded, when that failed, and when there is nothing. */
import type { ComponentChildren } from "preact";
import type { Answer } from "../data/answers.ts";
import { type Text, text } from "../text/text.ts";
import { Refusal } from "./refusal.tsx";

interface LoadingProps {
  /** What is waited for. */
  readonly what: keyof Text["awaited"];
  /** Lines to keep free, so that nothing moves when it arrives. */
  readonly lines?: number;
}

/** A quiet placeholder of the right height. */
export const Loading = ({ what, lines = 6 }: LoadingProps) => (
  <div class="loading" role="status">
    <span class="unseen">{text().ui.loading({ what: text().awaited[what] })}</span>
    {Array.from({ length: lines }, (_, line) => (
      <i key={line} aria-hidden="true" />
    ))}
  </div>
);

type PendingProps = LoadingProps & Pick<Answer<unknown>, "error" | "askAgain">;

/** Stands for an answer that is not here: it is on its way, or was refused. */
export const Pending = ({ error, askAgain, ...loading }: PendingProps) =>
  error === null ? <Loading {...loading} /> : <Refusal error={error} askAgain={askAgain} />;

/** The same in place of a page's panels. */
export const PendingPanel = (props: PendingProps) => (
  <section class="panel tall">
    <Pending {...props} />
  </section>
);

/** Says in words that there is nothing, and why that is fine. */
export const Nothing = ({ children }: { readonly children: ComponentChildren }) => <p class="nothing">{children}</p>;

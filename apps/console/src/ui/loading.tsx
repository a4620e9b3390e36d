/** What stands where something will be: while it is loaded, and when there is nothing. */
import type { ComponentChildren } from "preact";

interface LoadingProps {
  readonly what: string;
  /** Lines to keep free, so that nothing moves when it arrives. */
  readonly lines?: number;
}

/** A quiet placeholder of the right height. */
export const Loading = ({ what, lines = 6 }: LoadingProps) => (
  <div class="loading" role="status">
    <span class="unseen">Loading {what}</span>
    {Array.from({ length: lines }, (_, line) => (
      <i key={line} aria-hidden="true" />
    ))}
  </div>
);

/** Says in words that there is nothing, and why that is fine. */
export const Nothing = ({ children }: { readonly children: ComponentChildren }) => <p class="nothing">{children}</p>;

/** A part of a page: its title, what can be chosen, and its content. */
import type { ComponentChildren } from "preact";

interface PanelProps {
  readonly title: string;
  /** Controls beside the title. */
  readonly aside?: ComponentChildren;
  /** A class for its place on the page. */
  readonly place?: string;
  readonly children: ComponentChildren;
}

const idOf = (title: string): string => `panel-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;

/** A titled section. */
export const Panel = ({ title, aside, place = "", children }: PanelProps) => (
  <section class={`panel ${place}`} aria-labelledby={idOf(title)}>
    <header class="panel-head">
      <h2 id={idOf(title)}>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
);

/** A table that scrolls within itself when it is wider than the page, also by keyboard. */
export const Wide = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <section class="wide" aria-label={label} tabIndex={0}>
    {children}
  </section>
);

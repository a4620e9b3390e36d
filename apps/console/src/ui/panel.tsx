/** The head of a page, and the panels below it. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface PageHeadProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** What can be chosen for the whole page. */
  readonly aside?: ComponentChildren;
}

export const PageHead = ({ title, children, aside }: PageHeadProps) => (
  <header class="page-head">
    <div>
      <h1>{title}</h1>
      <p>{children}</p>
    </div>
    {aside}
  </header>
);

interface PanelProps {
  readonly title: string;
  /** Controls beside the title. */
  readonly aside?: ComponentChildren;
  /** A class for its place on the page. */
  readonly place?: string;
  readonly children: ComponentChildren;
}

export const Panel = ({ title, aside, place = "", children }: PanelProps) => {
  const id = useId();
  return (
    <section class={`panel ${place}`} aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
};

interface TileProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

/** One of a list of figures, below its name. */
export const Tile = ({ name, children }: TileProps) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** The title of a page, and what it shows in a sentence. */
import type { ComponentChildren } from "preact";

interface PageHeadProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** What can be chosen for the whole page. */
  readonly aside?: ComponentChildren;
}

/** The head. */
export const PageHead = ({ title, children, aside }: PageHeadProps) => (
  <header class="page-head">
    <div>
      <h1>{title}</h1>
      <p>{children}</p>
    </div>
    {aside}
  </header>
);

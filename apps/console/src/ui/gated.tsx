/** What is for a tier, or in its place the notice that a key is needed. */
import type { ComponentChildren } from "preact";
import { opens, type Tiered } from "../data/access.ts";
import { useFrontDocument } from "../data/questions.ts";
import { OPENS_WITH } from "../data/tiers.ts";
import type { Text } from "../text/text.ts";
import { NeedsKey } from "./key.tsx";
import { PendingPanel } from "./loading.tsx";

interface GatedProps {
  readonly part: Tiered;
  /** What is behind it. */
  readonly what: keyof Text["needs"];
  readonly children: ComponentChildren;
}

/** Shows what it holds to those who may see it. Without a key the service says first what everyone may. */
export const Gated = ({ part, what, children }: GatedProps) => {
  const { data, error, askAgain } = useFrontDocument(false);
  if (opens(part)) return <>{children}</>;
  if (data === undefined && error === null) return <PendingPanel what="open" error={error} askAgain={askAgain} />;
  return <NeedsKey what={what} tier={OPENS_WITH[part]} />;
};

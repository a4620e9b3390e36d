/** A word or two beside a figure about what it is: live, late, stale and why, simulated. */
import type { ComponentChildren } from "preact";

/** How much attention it asks for. */
export type Tone = "good" | "plain" | "warn" | "bad" | "accent";

interface BadgeProps {
  readonly tone: Tone;
  /** The long form, on hover. */
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}

/** A badge. */
export const Badge = ({ tone, title, children }: BadgeProps) => (
  <span class={`badge ${tone}`} title={title}>
    {children}
  </span>
);

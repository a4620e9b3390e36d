/** axe in a page: what it finds serious, in words. */
import axe from "axe-core";
import type { Page } from "playwright-core";

interface Found {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

/** Serious and critical findings; none is the only good answer. */
export const seriousFindings = async (page: Page): Promise<string[]> => {
  // By the debugger's protocol, which the page's policy does not concern.
  await page.evaluate(axe.source);
  const found = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  )) as Found[];
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
};

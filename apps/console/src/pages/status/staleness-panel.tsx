/** Which prices are fresh, and why the others are not. */
import type { Wire } from "@assay/sdk/trpc";
import { lengthText } from "../../figures/moments.ts";
import { Badge } from "../../ui/badge.tsx";
import { figures, Heads } from "../../ui/heads.tsx";
import { Panel, Wide } from "../../ui/panel.tsx";

type Staleness = Wire.Status["value_staleness"][string];

const wordsOf = (reason: string | null): string => (reason ?? "stale").replaceAll("_", " ");

/** Stale prices shown at once; more of them have a common reason, which is said in the sentence above. */
const AT_ONCE = 6;

/** How many are stale for each reason, in words. */
const reasonsOf = (stale: readonly Staleness[]): string => {
  const counts = new Map<string, number>();
  for (const { reason } of stale) counts.set(wordsOf(reason), (counts.get(wordsOf(reason)) ?? 0) + 1);
  return [...counts].map(([reason, count]) => (counts.size === 1 ? reason : `${count} ${reason}`)).join(", ");
};

/** The panel; what is stale comes first, and what is fresh is folded away. */
export const StalenessPanel = ({ status: { value_staleness } }: { readonly status: Wire.Status }) => {
  const all = Object.entries(value_staleness);
  const stale = all.filter(([, { is_stale }]) => is_stale);
  const rows = [...stale, ...all.filter(([, { is_stale }]) => !is_stale)];
  const table = (shown: typeof rows) => (
    <Wide label="Prices">
      <table>
        <Heads columns={["Symbol", ...figures("Age"), "Why"]} />
        <tbody>
          {shown.map(([symbol, { is_stale, age_seconds, reason }]) => (
            <tr key={symbol}>
              <th scope="row">{symbol}</th>
              <td class="number">{age_seconds === null ? "never" : lengthText(age_seconds * 1_000)}</td>
              <td>{is_stale ? <Badge tone="warn">{wordsOf(reason)}</Badge> : <span class="soft">fresh</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
  return (
    <Panel title="Prices">
      <p>
        {stale.length === 0
          ? `All ${rows.length} prices are fresh.`
          : `${stale.length} of ${rows.length} prices are stale: ${reasonsOf(stale.map(([, one]) => one))}.`}
      </p>
      {stale.length === 0 || stale.length > AT_ONCE ? null : table(stale)}
      <details class="as-table">
        <summary>Every price</summary>
        {table(rows)}
      </details>
    </Panel>
  );
};

/** Which prices are fresh, and why the others are not. */
import type { Wire } from "@assay/sdk/trpc";
import { lengthText } from "../../figures/moments.ts";
import { Badge } from "../../ui/badge.tsx";
import { figures, Heads } from "../../ui/heads.tsx";
import { Panel, Wide } from "../../ui/panel.tsx";

/** The panel; what is stale comes first, and what is fresh is folded away. */
export const StalenessPanel = ({ status: { value_staleness } }: { readonly status: Wire.Status }) => {
  const rows = Object.entries(value_staleness);
  const stale = rows.filter(([, { is_stale }]) => is_stale);
  const table = (shown: typeof rows) => (
    <Wide label="Prices">
      <table>
        <Heads columns={["Symbol", ...figures("Age"), "Why"]} />
        <tbody>
          {shown.map(([symbol, { is_stale, age_seconds, reason }]) => (
            <tr key={symbol}>
              <th scope="row">{symbol}</th>
              <td class="number">{age_seconds === null ? "never" : lengthText(age_seconds * 1_000)}</td>
              <td>
                {is_stale ? (
                  <Badge tone="warn">{(reason ?? "stale").replaceAll("_", " ")}</Badge>
                ) : (
                  <span class="soft">fresh</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
  return (
    <Panel title="Prices">
      <p>{stale.length === 0 ? `All ${rows.length} prices are fresh.` : `${stale.length} of ${rows.length} prices are stale.`}</p>
      {stale.length === 0 ? null : table(stale)}
      <details class="as-table">
        <summary>Every price</summary>
        {table(rows)}
      </details>
    </Panel>
  );
};

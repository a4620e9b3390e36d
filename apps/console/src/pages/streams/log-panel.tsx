/** The frames as they came, and what they add up to. */
import { useSignal } from "@preact/signals";
import { clockTime } from "../../figures/moments.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Figure } from "../../ui/figure.tsx";
import { figures, Heads } from "../../ui/heads.tsx";
import { Nothing } from "../../ui/loading.tsx";
import { Panel, Wide } from "../../ui/panel.tsx";
import { Segments } from "../../ui/segments.tsx";
import type { Frame } from "./frames.ts";
import { frames, totals } from "./inspector.ts";

const TONES: Readonly<Record<Frame["kind"], Tone>> = {
  tick: "plain",
  physical: "plain",
  gap: "bad",
  heartbeat: "good",
  status: "accent",
};

/** What was counted. */
export const Counters = () => {
  const { ticks, gaps, heartbeats, reconnects, seqs } = totals.value;
  const counts = Object.entries({ "Ticks and quotes": ticks, Gaps: gaps, Heartbeats: heartbeats, Reconnects: reconnects });
  return (
    <dl class="tiles counters">
      {counts.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Figure of={count} />
          </dd>
        </div>
      ))}
      {Object.entries(seqs).map(([name, seq]) => (
        <div key={name}>
          <dt>{name}, seq</dt>
          <dd>
            <Figure of={seq} />
          </dd>
        </div>
      ))}
    </dl>
  );
};

/** The log; it can be held still to be read. */
export const LogPanel = () => {
  const pace = useSignal<"running" | "held">("running");
  const held = useSignal<readonly Frame[]>([]);
  if (pace.value === "running" && held.peek() !== frames.value) held.value = frames.value;
  const shown = pace.value === "running" ? frames.value : held.value;
  return (
    <Panel
      title="Frames"
      aside={
        <Segments
          label="Log"
          chosen={pace}
          options={[
            { value: "running", text: "Running" },
            { value: "held", text: "Held" },
          ]}
        />
      }
    >
      {shown.length === 0 ? (
        <Nothing>Nothing yet: choose what to follow, and subscribe.</Nothing>
      ) : (
        <Wide label="Frames">
          <table class="log">
            <Heads columns={["Came at", "Kind", "Name", ...figures("seq"), "Says"]} />
            <tbody>
              {shown.map((frame) => (
                <tr key={frame.id} data-kind={frame.kind}>
                  <td class="figure">{clockTime(frame.atMs)}</td>
                  <td>
                    <Badge tone={TONES[frame.kind]}>{frame.kind}</Badge>
                  </td>
                  <td>{frame.name}</td>
                  <td class="number">{frame.seq}</td>
                  <td class="says">{frame.text}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
    </Panel>
  );
};

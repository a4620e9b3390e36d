/** The frames as they came, in words, and what they add up to. */
import type { StreamEvent } from "@assay/sdk/stream";
import { useSignal } from "@preact/signals";
import { timeText } from "../../data/clock.ts";
import { shown } from "../../figures/digits.ts";
import { lineOf, listText, text } from "../../text/text.ts";
import { Segments } from "../../ui/choose.tsx";
import { Badge, Figure, type Tone } from "../../ui/figure.tsx";
import { Nothing } from "../../ui/loading.tsx";
import { Panel, Tile } from "../../ui/panel.tsx";
import { figures, Heads, Wide } from "../../ui/table.tsx";
import { type Frame, frames, totals } from "./inspector.ts";

const TONES: Readonly<Record<Frame["event"]["type"], Tone>> = {
  tick: "plain",
  physical: "plain",
  gap: "bad",
  heartbeat: "good",
  status: "accent",
};

export const Counters = () => {
  const { ticks, gaps, heartbeats, reconnects, seqs } = totals.value;
  const lines = text().streams;
  const counts = [
    [lines.ticks, ticks],
    [lines.gaps, gaps],
    [lines.heartbeats, heartbeats],
    [lines.reconnects, reconnects],
  ] as const;
  return (
    <dl class="tiles counters">
      {counts.map(([name, count]) => (
        <Tile key={name} name={name}>
          <Figure of={count} />
        </Tile>
      ))}
      {Object.entries(seqs).map(([name, seq]) => (
        <Tile key={name} name={lines.seqOf({ name })}>
          <Figure of={seq} />
        </Tile>
      ))}
    </dl>
  );
};

interface LogRow {
  readonly name: string;
  readonly seq: string;
  readonly says: string;
}

const statusText = (event: Extract<StreamEvent, { readonly type: "status" }>): string => {
  const { streams } = text();
  if (event.status === "connecting")
    return event.attempt === 0 ? streams.connecting : streams.connectingAgain({ attempt: event.attempt });
  if (event.status === "reconnecting")
    return streams.lost({ why: event.reason, seconds: shown((event.delayMs / 1_000).toFixed(1)) });
  if (event.status === "closed") return event.reason === null ? streams.closed : streams.closedWhy({ why: event.reason });
  return [
    streams.opened,
    ...event.rejected.map(({ name, code }) => streams.rejected({ name, code: lineOf(streams.rejections, code, code) })),
  ].join("; ");
};

const tickText = ({ price, conf, staleReason, snapshot }: Extract<StreamEvent, { readonly type: "tick" }>): string => {
  const { streams } = text();
  const origin = staleReason ? [streams.lastClose] : snapshot ? [streams.lastKnown] : [];
  return listText([streams.tick({ price: price.text, confidence: conf.text }), ...origin]);
};

/** What an event says, in words; its figures are text, as published. */
const logRowOf = (event: StreamEvent): LogRow => {
  const { streams, status } = text();
  if (event.type === "tick") return { name: event.symbol, seq: String(event.seq), says: tickText(event) };
  if (event.type === "physical")
    return { name: event.channel, seq: String(event.seq), says: `${event.quote.dealer}: ${event.quote.product}` };
  if (event.type === "gap")
    return {
      name: event.symbol,
      seq: `${event.fromSeq}–${event.toSeq}`,
      says: streams.missing({ why: lineOf(streams.gapReasons, event.reason, event.reason) }),
    };
  if (event.type === "heartbeat") {
    const newest = Object.entries(event.seq).map(([name, seq]) => `${name} ${seq}`);
    const state = lineOf(status.marketStates, event.market, event.market);
    return { name: "", seq: "", says: listText([streams.market({ state }), ...newest]) };
  }
  return { name: listText(event.names), seq: "", says: statusText(event) };
};

const Row = ({ frame: { event, atMs } }: { readonly frame: Frame }) => {
  const { name, seq, says } = logRowOf(event);
  return (
    <tr data-kind={event.type}>
      <td class="figure">{timeText(atMs)}</td>
      <td>
        <Badge tone={TONES[event.type]}>{text().streams.kinds[event.type]}</Badge>
      </td>
      <td>
        <bdi>{name}</bdi>
      </td>
      <td class="number">
        <bdi dir="ltr">{seq}</bdi>
      </td>
      <td class="says">
        <bdi>{says}</bdi>
      </td>
    </tr>
  );
};

/** The log; it can be held still to be read. */
export const LogPanel = () => {
  const pace = useSignal<"running" | "held">("running");
  const held = useSignal<readonly Frame[]>([]);
  if (pace.value === "running" && held.peek() !== frames.value) held.value = frames.value;
  const lines = text().streams;
  const shown = pace.value === "running" ? frames.value : held.value;
  return (
    <Panel
      title={lines.frames}
      aside={
        <Segments
          label={lines.log}
          chosen={pace}
          options={[
            { value: "running", text: lines.running },
            { value: "held", text: lines.held },
          ]}
        />
      }
    >
      {shown.length === 0 ? (
        <Nothing>{lines.nothing}</Nothing>
      ) : (
        <Wide label={lines.frames}>
          <table class="log">
            <Heads columns={[lines.cameAt, lines.kind, lines.name, ...figures(lines.seq), lines.says]} />
            <tbody>
              {shown.map((frame) => (
                <Row key={frame.id} frame={frame} />
              ))}
            </tbody>
          </table>
        </Wide>
      )}
    </Panel>
  );
};

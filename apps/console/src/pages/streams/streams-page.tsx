/** Streams: an inspector of what they carry, how they number it, and how they come back. */
import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { key } from "../../data/key.ts";
import { OPENS_WITH } from "../../data/opens-with.ts";
import { AsCall } from "../../ui/call.tsx";
import { NeedsKey } from "../../ui/needs-key.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { Controls } from "./controls.tsx";
import { close, fault } from "./inspector.ts";
import { Counters, LogPanel } from "./log-panel.tsx";

const Content = () => (
  <>
    <Panel title="Connection">
      <Controls />
      {fault.value === null ? null : (
        <Refusal
          error={fault.value}
          askAgain={() => {
            fault.value = null;
          }}
        />
      )}
      <Counters />
    </Panel>
    <LogPanel />
  </>
);

/** The page; its stream ends when it is left, since a key has few. */
export const StreamsPage = () => {
  useEffect(() => close, []);
  const opened = useRef(key.value);
  useSignalEffect(() => {
    if (key.value !== opened.current) close();
    opened.current = key.value;
  });
  return (
    <div class="page">
      <PageHead title="Streams">Ticks and quotes as they come, their numbers, and how a lost connection is made up for.</PageHead>
      {key.value === null ? <NeedsKey what="Streams can be followed" tier={OPENS_WITH["stream.sse"]} /> : <Content />}
      <AsCall
        calls={[
          {
            what: "The same over server-sent events",
            path: "v1/prices/stream?symbol=XAU-USD-SPOT",
            curl: "-N ",
            sdk: 'assay.stream.subscribe({ transport: "sse", symbols: ["XAU-USD-SPOT"] })',
          },
        ]}
      />
    </div>
  );
};

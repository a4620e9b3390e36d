/** Streams: an inspector of what they carry, how they number it, and how they come back. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { opens } from "../../data/access.ts";
import { dollarSymbol, GOLD, streamed } from "../../data/catalogue.ts";
import { key } from "../../data/key.ts";
import { text } from "../../text/text.ts";
import { AsCall } from "../../ui/call.tsx";
import { Segments } from "../../ui/choose.tsx";
import { Gated } from "../../ui/gated.tsx";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { close, cut, fault, followed, isOpen, subscribe, type Transport, unsubscribe } from "./inspector.ts";
import { Counters, LogPanel } from "./log-panel.tsx";

const SYMBOLS: Readonly<Record<Transport, readonly string[]>> = {
  sse: streamed("sse"),
  websocket: [...streamed("websocket"), "physical:AE", "physical:CN", "physical:IN", "physical:JP"],
};

/** A name of its own, in every language. */
const WEBSOCKET = "WebSocket";

const transports = () => [
  { value: "sse" as const, text: text().streams.sse },
  { value: "websocket" as const, text: WEBSOCKET },
];

/** What to follow, and the buttons that follow it, leave it, and break the line. */
export const Controls = () => {
  const transport = useSignal<Transport>("sse");
  const chosen = useSignal<ReadonlySet<string>>(new Set([dollarSymbol(GOLD)]));
  const offered = SYMBOLS[transport.value];
  const names = offered.filter((name) => chosen.value.has(name));
  const lines = text().streams;
  const isFollowed = names.some((name) => followed.value.includes(name));
  return (
    <div class="controls">
      <Segments
        label={lines.transport}
        chosen={transport}
        options={transports().map((one) => ({ ...one, isOff: isOpen.value && one.value !== transport.value }))}
      />
      <fieldset class="names">
        <legend class="unseen">{lines.names}</legend>
        {offered.map((name) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={chosen.value.has(name)}
              onChange={({ currentTarget: { checked } }) => {
                const others = [...chosen.value].filter((one) => one !== name);
                chosen.value = new Set(checked ? [...others, name] : others);
              }}
            />
            <bdi>{name}</bdi>
          </label>
        ))}
      </fieldset>
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={names.length === 0}
          onClick={() => void subscribe(transport.value, names)}
        >
          {lines.subscribe}
        </button>
        <button type="button" disabled={!isFollowed} onClick={() => unsubscribe(names)}>
          {lines.unsubscribe}
        </button>
        <button type="button" disabled={!isOpen.value} onClick={cut} title={lines.cutLong}>
          {lines.cut}
        </button>
        <button type="button" class="quiet" disabled={!isOpen.value} onClick={close}>
          {lines.close}
        </button>
      </div>
    </div>
  );
};

const Content = () => (
  <>
    <Panel title={text().streams.connection}>
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
      <PageHead title={text().ui.pages.streams}>{text().streams.intro}</PageHead>
      <Gated part="stream.sse" what="streams">
        <Content />
      </Gated>
      <AsCall
        calls={[
          {
            what: text().calls.stream,
            path: `v1/prices/stream?symbol=${dollarSymbol(GOLD)}`,
            curl: "-N ",
            sdk: `assay.stream.subscribe({ transport: "sse", symbols: ["${dollarSymbol(GOLD)}"] })`,
            isOpen: opens("stream.sse"),
          },
        ]}
      />
    </div>
  );
};

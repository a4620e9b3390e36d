/** What to follow, and the buttons that follow it, leave it, and break the line. */
import { useSignal } from "@preact/signals";
import { SSE_SYMBOLS } from "../../data/streamable.ts";
import { Segments } from "../../ui/segments.tsx";
import type { Transport } from "./frames.ts";
import { close, cut, followed, isOpen, subscribe, unsubscribe } from "./inspector.ts";

const SYMBOLS: Readonly<Record<Transport, readonly string[]>> = {
  sse: SSE_SYMBOLS,
  websocket: [...SSE_SYMBOLS, "HG-USD-SPOT", "physical:AE", "physical:CN", "physical:IN", "physical:JP"],
};

const TRANSPORTS = [
  { value: "sse", text: "Server-sent events" },
  { value: "websocket", text: "WebSocket" },
] as const;

/** The controls. */
export const Controls = () => {
  const transport = useSignal<Transport>("sse");
  const chosen = useSignal<ReadonlySet<string>>(new Set(["XAU-USD-SPOT"]));
  const offered = SYMBOLS[transport.value];
  const names = offered.filter((name) => chosen.value.has(name));
  const isFollowed = names.some((name) => followed.value.includes(name));
  return (
    <div class="controls">
      <Segments
        label="Transport"
        chosen={transport}
        options={TRANSPORTS.map((one) => ({ ...one, isOff: isOpen.value && one.value !== transport.value }))}
      />
      <fieldset class="names">
        <legend class="unseen">Names</legend>
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
            {name}
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
          Subscribe
        </button>
        <button type="button" disabled={!isFollowed} onClick={() => unsubscribe(names)}>
          Unsubscribe
        </button>
        <button type="button" disabled={!isOpen.value} onClick={cut} title="Breaks the connection as a network would">
          Cut the line
        </button>
        <button type="button" class="quiet" disabled={!isOpen.value} onClick={close}>
          Close
        </button>
      </div>
    </div>
  );
};

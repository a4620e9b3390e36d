/** `/live` on the operator's port: it fails in a state that only a restart leaves, and in no other. */
import { silentLog } from "@assay/live";
import { afterEach, expect, test, vi } from "vitest";
import { Lifecycle } from "../lifecycle.ts";
import { openTelemetry } from "./telemetry.ts";

afterEach(() => vi.restoreAllMocks());

test("a process is alive while it starts and while it drains, and not once a part of it is stuck", async () => {
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never); // it goes on in the test
  const lifecycle = new Lifecycle(() => undefined);
  const settings = { host: "127.0.0.1", maxPipelined: 32, metricsPort: 0, otlpEndpoint: null };
  const { port } = await openTelemetry(settings, { role: "writer", log: silentLog, clock: () => 0, lifecycle });
  const live = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/live`);
    return [answer.status, await answer.text()];
  };
  let close: () => void = () => undefined;
  lifecycle.add(
    "the writer",
    () =>
      new Promise((resolve) => {
        close = resolve;
      }),
  );
  expect(await live()).toEqual([200, "ok\n"]);
  lifecycle.endFailed();
  expect(await live()).toEqual([200, "ok\n"]);
  lifecycle.endStuck(new Error("the term did not end"));
  expect(await live()).toEqual([503, "stuck\n"]);
  close();
  await vi.waitFor(() => expect(exit.mock.calls).toEqual([[1]]));
});

/** A pending reload is done in the end, however the store fails in between. */
import { virtualTime } from "@assay/ports/virtual";
import { describe, expect, it, vi } from "vitest";
import { Reloads } from "./reloads.ts";

describe("reloading", () => {
  const clock = virtualTime(0);
  const settle = clock.turn;

  it("retries every second until the store answers, and then stops", async () => {
    const faults: string[] = [];
    const reloads = new Reloads(clock, (_error, name) => faults.push(name));
    const work = vi
      .fn()
      .mockRejectedValueOnce(new Error("away"))
      .mockRejectedValueOnce(new Error("away"))
      .mockResolvedValue(undefined);
    reloads.ask("everything", work);
    await settle();
    expect(work).toHaveBeenCalledTimes(1);
    await clock.advance(1_000);
    expect(work).toHaveBeenCalledTimes(2);
    await clock.advance(60_000);
    expect(work).toHaveBeenCalledTimes(3);
    expect(faults).toEqual(["everything", "everything"]);
  });

  it("runs once more, and only once, when requested while it is under way", async () => {
    const reloads = new Reloads(clock, () => undefined);
    let finish = (): void => undefined;
    const work = vi.fn(() => new Promise<void>((done) => (finish = done)));
    reloads.ask("gold", work);
    for (let turn = 0; turn < 3; turn += 1) reloads.ask("gold", work);
    finish();
    await settle();
    expect(work).toHaveBeenCalledTimes(2);
    finish();
    await clock.advance(60_000);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it("does not hold up other work when one fails", async () => {
    const reloads = new Reloads(clock, () => undefined);
    const silver = vi.fn().mockResolvedValue(undefined);
    reloads.ask("gold", () => Promise.reject(new Error("away")));
    reloads.ask("silver", silver);
    // Started at once, so that no outdated data is served meanwhile.
    expect(silver).toHaveBeenCalledTimes(1);
    await settle();
  });

  it("ends when it is stopped", async () => {
    const reloads = new Reloads(clock, () => undefined);
    const work = vi.fn().mockRejectedValue(new Error("away"));
    reloads.ask("gold", work);
    await settle();
    reloads.stop();
    await clock.advance(60_000);
    expect(work).toHaveBeenCalledTimes(1);
  });
});

import { type Store, writeMoment } from "@assay/db";
import { testEngines } from "@assay/db/testing";
import { INSTRUMENTS, unknownBelief } from "@assay/pricing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { restoreBeliefs } from "./belief-store.ts";

const AT_MS = Date.UTC(2026, 10, 20, 14);

describe.each(testEngines)("beliefs of earlier terms on $name", (engine) => {
  let store: Store;
  beforeAll(async () => {
    store = await engine.open();
  });
  afterAll(() => store.close());

  test("are those of the catalogue: a metal that was taken out of it, without a reference to seek, is not restored", async () => {
    const gold = unknownBelief("XAU-USD-SPOT", { price: "4003.20", atMs: AT_MS, by: ["a"] });
    const beliefs = [gold, unknownBelief("XRH-USD-SPOT")];
    await writeMoment(store, { token: 1, holder: "writer-a" }, { ticks: [], bars: [], fx: [], beliefs });
    const restored = await restoreBeliefs(store, new Map(), "composed");
    expect([...restored.keys()]).toEqual(INSTRUMENTS);
    expect(restored.get("XAU-USD-SPOT")).toEqual(gold);
  });
});

import { DEFAULT_CATALOG, overlayCatalog } from "@assay/contract";
import { expect, test } from "vitest";
import type { DemoKeys } from "./demo-keys.ts";
import { welcome } from "./welcome.ts";

const keys: DemoKeys = { free: "k-free", basic: "k-basic", physical: "k-physical", pro: "k-pro", realtime_pro: "k-realtime" };
const service = { url: "http://127.0.0.1:8080", hasConsole: true, simulated: true, keys, catalog: DEFAULT_CATALOG };
const first = (text: string): string | undefined => text.split("\n").find((line) => line.trim() !== "");

test("begins with the console's address, which carries a demo key where no server sees it", () => {
  expect(first(welcome(service))).toBe("  Console: http://127.0.0.1:8080/#key=k-realtime");
  const { hash, search, pathname } = new URL(first(welcome(service))?.split(" ").at(-1) ?? "");
  expect([hash, search, pathname]).toEqual(["#key=k-realtime", "", "/"]);
  expect(first(welcome({ ...service, url: "https://example.com/metals" }))).toContain(" https://example.com/metals/#key=");
});

test("says what callers without a key have where that is more than Free, and shows the console without one where it is everything", () => {
  expect(welcome(service)).not.toContain("Without a key");
  const physical = welcome({ ...service, catalog: overlayCatalog({}, "physical") });
  expect(physical).toContain("  Without a key: the tier Physical, prices live");
  expect(first(physical)).toContain("#key=");
  expect(first(welcome({ ...service, catalog: overlayCatalog({}, "realtime_pro") }))).toBe("  Console: http://127.0.0.1:8080/");
});

test("shows no key where prices are real, and no console where it is not built", () => {
  const real = welcome({ ...service, simulated: false, keys: null });
  expect(first(real)).toBe("  Console: http://127.0.0.1:8080/");
  expect(real).not.toMatch(/key|SIMULATED/i);
  expect(welcome({ ...service, hasConsole: false })).not.toContain("Console");
});

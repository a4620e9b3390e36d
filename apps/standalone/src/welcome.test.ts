import { expect, test } from "vitest";
import type { DemoKeys } from "./demo-keys.ts";
import { welcome } from "./welcome.ts";

const keys: DemoKeys = { free: "k-free", basic: "k-basic", physical: "k-physical", pro: "k-pro", realtime_pro: "k-realtime" };
const told = { url: "http://127.0.0.1:8080", hasConsole: true, simulated: true, keys };
const first = (text: string): string | undefined => text.split("\n").find((line) => line.trim() !== "");

test("begins with the console's address, which carries a demo key where no server sees it", () => {
  expect(first(welcome(told))).toBe("  Console: http://127.0.0.1:8080/#key=k-realtime");
  const { hash, search, pathname } = new URL(first(welcome(told))?.split(" ").at(-1) ?? "");
  expect([hash, search, pathname]).toEqual(["#key=k-realtime", "", "/"]);
  expect(first(welcome({ ...told, url: "https://example.com/metals" }))).toContain(" https://example.com/metals/#key=");
});

test("shows no key where prices are real, and no console where it is not built", () => {
  const real = welcome({ ...told, simulated: false, keys: null });
  expect(first(real)).toBe("  Console: http://127.0.0.1:8080/");
  expect(real).not.toMatch(/key|SIMULATED/i);
  expect(welcome({ ...told, hasConsole: false })).not.toContain("Console");
});

import { expect, test } from "vitest";
import { isForeign } from "./admit.ts";

const OWN = "https://prices.example.com/metals";
const from = (origin: string | undefined, host: string): boolean =>
  isForeign({ headers: { ...(origin === undefined ? {} : { origin }), host } }, OWN);

test.each([
  ["a program, which sends no origin", undefined, "127.0.0.1:8080"],
  ["the console at its public address", "https://prices.example.com", "prices.example.com"],
  ["the console on this machine", "http://localhost:8080", "localhost:8080"],
  ["the console at an address of the network", "http://192.168.1.5:8080", "192.168.1.5:8080"],
  ["the console at an IPv6 address", "http://[fd00::5]:8080", "[fd00::5]:8080"],
])("%s is not foreign", (_, origin, host) => {
  expect(from(origin, host)).toBe(false);
});

test.each([
  ["a page of another site", "https://evil.example", "127.0.0.1:8080"],
  ["a page whose name was pointed at this machine", "http://evil.example:8080", "evil.example:8080"],
  ["a page at another address", "http://192.168.1.6:8080", "192.168.1.5:8080"],
  ["a page without an origin of its own", "null", "127.0.0.1:8080"],
  ["what is no origin", "evil", "127.0.0.1:8080"],
])("%s is foreign", (_, origin, host) => {
  expect(from(origin, host)).toBe(true);
});

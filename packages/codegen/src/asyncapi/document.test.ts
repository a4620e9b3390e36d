/** Checks the AsyncAPI document against the contract it is generated from. */
import { clientFrame, STREAM_CLOSES, STREAM_NAMES, serverFrame } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { asyncApiDocument } from "./document.ts";
import { MESSAGES } from "./messages.ts";

const document = asyncApiDocument("https://prices.example.com/assay");
const text = JSON.stringify(document);

describe("the AsyncAPI document", () => {
  test("has a message for every frame of the contract, and no other", () => {
    const frames = [
      ...clientFrame.options.map((option) => option.shape.action.value),
      ...serverFrame.options.map((option) => option.shape.type.value),
    ];
    expect(Object.keys(MESSAGES).toSorted()).toEqual(frames.toSorted());
  });

  test.each(Object.entries(MESSAGES))("shows a %s the contract accepts", (_name, { schema, by, example }) => {
    expect(schema.safeParse(example).error?.issues).toBeUndefined();
    expect((by === "client" ? clientFrame : serverFrame).safeParse(example).success).toBe(true);
  });

  test("says of every client frame that it may be answered by an error", () => {
    const asked = Object.values(MESSAGES).filter(({ by }) => by === "client");
    for (const { answeredBy } of asked) expect(answeredBy).toContain("error");
  });

  test("lists every close code and everything that can be followed", () => {
    for (const [code, { close }] of Object.entries(STREAM_CLOSES)) expect(text).toContain(`"close":${close},"error":"${code}"`);
    for (const name of STREAM_NAMES) expect(text).toContain(`"${name}"`);
  });

  test("has no dangling reference", () => {
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(references.length).toBeGreaterThan(40);
    for (const path of references) {
      const target = path
        .split("/")
        .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], document);
      expect(target, path).toBeDefined();
    }
  });

  test("names the servers by the public address", () => {
    expect(document.servers).toMatchObject({
      websocket: { host: "prices.example.com", pathname: "/assay", protocol: "wss" },
      events: { protocol: "https" },
    });
    expect(asyncApiDocument("http://127.0.0.1:8080").servers).toMatchObject({
      websocket: { host: "127.0.0.1:8080", protocol: "ws" },
    });
  });

  test("is the same every time", () => {
    expect(JSON.stringify(asyncApiDocument("https://prices.example.com/assay"))).toBe(text);
  });
});

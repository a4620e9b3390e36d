/** Plain requests, where the answer is wanted as text: a receipt and a file are kept byte for byte. */
import type { WireError } from "@assay/sdk/trpc";
import { key } from "./key.ts";
import { at, reach } from "./service.ts";
import { Refused } from "./wire-error.ts";

/** With the reader's key, in a header: never in an address. */
const ask = async (path: string, init: RequestInit): Promise<string> => {
  const headers = new Headers(init.headers);
  if (key.value !== null) headers.set("authorization", `Bearer ${key.value}`);
  const response = await reach(at(path), { ...init, headers });
  const text = await response.text();
  if (response.ok) return text;
  throw new Refused(JSON.parse(text) as WireError); // every refusal has this shape
};

/**
 * Reads text.
 * @param path below the base, without a slash in front
 * @throws Refused with the service's body
 */
export const readText = (path: string): Promise<string> => ask(path, {});

/**
 * Posts JSON.
 * @param path below the base, without a slash in front
 * @throws Refused with the service's body
 */
export const post = (path: string, body: unknown, signal?: AbortSignal): Promise<string> =>
  ask(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });

/** The JSON in one of the three parts of a receipt. */
export const decodePart = (part: string): unknown => {
  const bytes = Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
};

/** Saves text, or a picture, as a file of the reader's. */
export const save = (name: string, content: string | Blob, type: string): void => {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};

/** Client frames: from bytes to what they ask for, or to what is wrong with them. */
import { type ClientFrame, clientFrame, frameId } from "@assay/contract";

/** The id a client put on a frame. */
export type FrameId = string | number | undefined;

/** What a frame turned out to be. */
export type FrameReading =
  | { readonly name: "auth" | "subscribe" | "unsubscribe" | "ping"; readonly frame: ClientFrame }
  /** Of a known action, but with wrong fields. */
  | { readonly name: "invalid"; readonly id: FrameId; readonly message: string }
  | { readonly name: "badFrame" };

const ACTIONS: ReadonlySet<unknown> = new Set(clientFrame.options.map((option) => option.shape.action.value));
const BAD: FrameReading = { name: "badFrame" };

const isObject = (value: unknown): value is { readonly action?: unknown; readonly id?: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Reads a frame.
 * @param text a text message; the socket has checked its length and its UTF-8
 */
export const readFrame = (text: string): FrameReading => {
  const value = parse(text);
  if (!isObject(value) || !ACTIONS.has(value.action)) return BAD;
  const read = clientFrame.safeParse(value);
  if (read.success) return { name: read.data.action, frame: read.data };
  const [issue] = read.error.issues;
  const where = issue?.path.join(".") ?? "";
  return { name: "invalid", id: frameId.safeParse(value.id).data, message: `${where}: ${issue?.message ?? "is not valid"}` };
};

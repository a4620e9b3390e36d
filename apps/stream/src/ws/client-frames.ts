/** Parses client frames. */
import { type ClientFrame, clientFrame, frameId } from "@assay/contract";

/** The id a client set on a frame. */
export type FrameId = string | number | undefined;

/** The result of parsing a frame. */
export type FrameReading =
  | { readonly name: "auth" | "subscribe" | "unsubscribe" | "ping"; readonly frame: ClientFrame }
  /** A known action with invalid fields. */
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
 * Parses a frame.
 * @param text a text message; the socket has checked its length and UTF-8
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

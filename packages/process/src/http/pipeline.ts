/**
 * The requests of a connection that are not answered yet: how many there may be, how long they may take to arrive, and how the
 * connection ends after their answers.
 */
import { IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * How long a peer may take to close its side after the last answer. Closing earlier, with bytes of the peer still unread, would reset
 * the connection, and the peer could lose answers it has not read.
 */
const LINGER_MS = 2_000;

/** How much of what the peer still sends is read and dropped. Behind it the peer waits: it may read its answer, and stop. */
export const MAX_DROPPED_BYTES = 512 * 1024;

/** A connection's unanswered requests. */
interface Pipeline {
  readonly socket: Socket;
  readonly limit: number;
  /** Oldest first; an answer leaves when the kernel has accepted all of it. */
  readonly answers: ServerResponse[];
  /** How many requests it has carried. */
  admitted: number;
  /** Whether nothing more is read, and the connection ends after `answers`. */
  isEnding: boolean;
  hasEnded: boolean;
  /** Whether it carries a stream, whose answer never ends. */
  isStream: boolean;
}

/** On the socket, and on its responses, which forget their socket: maps beside them would be looked up three times per request. */
const PIPELINE = Symbol("pipeline");
interface Counted {
  [PIPELINE]?: Pipeline;
}

const pipelineOf = (counted: Socket & Counted): Pipeline | undefined => counted[PIPELINE];

export const openPipeline = (socket: Socket & Counted, limit: number): void => {
  socket[PIPELINE] = { socket, limit, answers: [], admitted: 0, isEnding: false, hasEnded: false, isStream: false };
};

/** Notes that a connection carries a stream from now on, whose frames are sent at once. */
export const noteStream = (socket: Socket): void => {
  socket.setNoDelay(true);
  const pipeline = pipelineOf(socket);
  if (pipeline) pipeline.isStream = true;
};

export const carriesStream = (socket: Socket): boolean => pipelineOf(socket)?.isStream ?? false;

/** Whether the connection closes after the answers it owes. */
export const isEnding = (socket: Socket): boolean => pipelineOf(socket)?.isEnding ?? false;

export const owesAnswer = (socket: Socket): boolean => (pipelineOf(socket)?.answers.length ?? 0) > 0;

/** Ends a connection; what the peer still sends is read and dropped, within a bound, until it closes its side. */
const end = (pipeline: Pipeline, text = ""): void => {
  if (pipeline.hasEnded) return;
  const { socket } = pipeline;
  pipeline.isEnding = true;
  pipeline.hasEnded = true;
  socket.end(text);
  let left = MAX_DROPPED_BYTES;
  // Not the parser's any more, which would read on.
  socket.removeAllListeners("data").on("data", (bytes: Buffer) => {
    left -= bytes.length;
    if (left < 0) socket.pause();
  });
  socket.resume();
  socket.once("end", () => socket.destroy());
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
};

/** Ends the connection after an answer to a request whose body is left unread. Node would close it at once. */
export const closeUnread = (response: ServerResponse & Counted): void => {
  const pipeline = response[PIPELINE];
  if (pipeline) pipeline.socket.destroySoon = () => end(pipeline);
};

/** Closes a connection after the answers it owes; one with a stream at once. */
const endAfterAnswers = (socket: Socket): void => {
  const pipeline = pipelineOf(socket);
  if (!pipeline || pipeline.isStream) socket.destroy();
  else if (pipeline.answers.length === 0) end(pipeline);
  else pipeline.isEnding = true;
};

/**
 * Closes a connection whose next bytes are not HTTP: with a refusal when they are what the peer waits for the answer to, otherwise
 * after the answers to the requests before them. A second status line would become part of another answer.
 */
export const endMalformed = (socket: Socket, refusal: () => string): void => {
  const pipeline = pipelineOf(socket);
  if (!pipeline || pipeline.isEnding) return;
  const newest = pipeline.answers.at(-1);
  const isInBody = newest !== undefined && !newest.req.complete && !newest.headersSent;
  // The body is broken, so this request is answered by the refusal or, behind others, not at all.
  if (isInBody) pipeline.answers.pop();
  if (pipeline.answers.length > 0) endAfterAnswers(socket);
  else if (newest === undefined || isInBody) end(pipeline, refusal());
};

/**
 * Judges a connection that ran out of time after a turn of the event loop. Node looks at the clock before it reads: if the loop stood,
 * what the peer sent in time is still unread.
 */
export const judgeLate = (socket: Socket, judge: (hasSent: boolean) => void): void => {
  const { bytesRead } = socket;
  setImmediate(() => judge(socket.bytesRead > bytesRead));
};

/** Whether the body of the newest unanswered request is read in part. */
const isInPart = ({ answers }: Pipeline): boolean => answers.at(-1)?.req.complete === false;

/**
 * Ends a connection whose request did not arrive in time, unless it has by now: with a refusal if the peer is slow, without an answer,
 * so that it tries again, if the event loop was. The time of a head begins with its first byte: to a peer that connects ahead, the
 * refusal would be the answer to its first request.
 */
export const endLate = (socket: Socket, refusal: () => string): void => {
  const pipeline = pipelineOf(socket);
  if (!pipeline || socket.bytesRead === 0) return;
  const { admitted } = pipeline;
  const isBody = isInPart(pipeline);
  judgeLate(socket, (hasSent) => {
    if (!hasSent) endMalformed(socket, refusal);
    else if (isInPart(pipeline) || !(isBody || pipeline.admitted > admitted)) socket.destroy();
  });
};

/** Called on a response, as one function for all: a closure for each would cost a request more than the count does. */
function answered(this: ServerResponse & Counted): void {
  const pipeline = this[PIPELINE];
  pipeline?.answers.shift();
  if (pipeline?.isEnding && pipeline.answers.length === 0) end(pipeline);
}

/** Counts a request. @returns false for one too many, which is not to be answered */
export const admitRequest = (response: ServerResponse & Counted): boolean => {
  const { socket } = response.req;
  const pipeline = pipelineOf(socket);
  if (!pipeline) return true;
  if (pipeline.isEnding || pipeline.answers.length >= pipeline.limit) {
    endAfterAnswers(socket);
    return false;
  }
  pipeline.admitted += 1;
  pipeline.answers.push(response);
  response[PIPELINE] = pipeline;
  response.on("finish", answered);
  return true;
};

/**
 * Takes over a connection from Node's parser, which no longer relays its events.
 * @see PipelinedMessage
 */
export const endTakenOver = (socket: Socket): void => {
  const pipeline = pipelineOf(socket);
  socket.on("error", () => socket.destroy());
  socket.on("drain", () => pipeline?.answers[0]?.emit("drain"));
  socket.resume();
  endAfterAnswers(socket);
};

/**
 * A request. One too many claims to ask for an upgrade, at which Node stops parsing: it parses all that a read returned, 64 KiB, before
 * anything else runs, and each of the 2,400 requests in there would take 3 KB until its turn to be answered comes.
 */
export class PipelinedMessage extends IncomingMessage {
  constructor(socket: Socket) {
    super(socket);
    const pipeline = pipelineOf(socket);
    if (pipeline !== undefined && (pipeline.isEnding || pipeline.answers.length >= pipeline.limit)) {
      Object.defineProperty(this, "upgrade", { get: () => true, set: () => undefined });
    }
  }
}

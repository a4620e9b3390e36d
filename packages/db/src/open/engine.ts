/**
 * The embedded engine, and what PGlite 0.5 lacks: an end. PostgreSQL stops itself when it can no longer keep its word, as on a
 * full disk in the middle of a commit. PGlite then calls it again for ever, within one synchronous call in which neither a timer
 * nor a signal is heard (https://github.com/electric-sql/pglite/issues/1058), and what it calls goes on with the commit.
 */
import { PGlite } from "@electric-sql/pglite";

/** How PGlite's engine leaves a statement that it refused, which is no end. */
const REFUSED = 100;
/** What PostgreSQL writes before it stops itself. */
const LAST_WORDS = /(?:PANIC|FATAL): +(.*)/;

/** The engine has stopped itself and does nothing more; the next start takes up what it had acknowledged. */
export class EngineEndedError extends Error {
  override readonly name = "EngineEndedError";
  /** As a server says it whose other processes end with one that crashed. */
  readonly code = "57P02";
}

const isRefusal = (thrown: unknown): boolean =>
  typeof thrown === "object" && thrown !== null && "status" in thrown && thrown.status === REFUSED;

/** PGlite that fails at once, and for good, when its engine has ended. */
export class Engine extends PGlite {
  /** Told once, when the engine has ended by itself. */
  onEnd: (error: EngineEndedError) => void = () => {};
  #isWatched = false;
  #lastWords: string | undefined;
  #ended: EngineEndedError | undefined;

  private constructor(dataDir: string) {
    super(dataDir, {
      onStderr: (line) => {
        this.#lastWords = LAST_WORDS.exec(line)?.[1] ?? this.#lastWords;
        return true;
      },
    });
  }

  /**
   * @param dataDir as PGlite names it
   * @throws EngineEndedError when the engine says why it cannot start; what PGlite throws when it does not
   */
  static async open(dataDir: string): Promise<Engine> {
    const engine = new Engine(dataDir);
    try {
      await engine.waitReady;
      return engine;
    } catch (thrown) {
      throw engine.#lastWords === undefined ? thrown : engine.#end(thrown);
    }
  }

  /** Why it has ended, when it has. */
  get ended(): EngineEndedError | undefined {
    return this.#ended;
  }

  #end(thrown: unknown): EngineEndedError {
    if (this.#ended === undefined) {
      const why = this.#lastWords ?? (thrown instanceof Error ? thrown.message : String(thrown));
      this.#ended = new EngineEndedError(`the embedded database has ended: ${why}`);
      this.onEnd(this.#ended);
    }
    return this.#ended;
  }

  /** Lets the end of the engine out of PGlite's loop, by the first of the engine's functions that the loop calls after it. */
  #watch(): void {
    const engine = this.mod;
    if (this.#isWatched || engine === undefined) return;
    this.#isWatched = true;
    const step = engine._PostgresMainLoopOnce;
    engine._PostgresMainLoopOnce = () => {
      try {
        step();
      } catch (thrown) {
        if (!isRefusal(thrown)) {
          engine.stackRestore = () => {
            throw thrown;
          };
          engine._PostgresSendReadyForQueryIfNecessary = () => {};
          engine._pgl_pq_flush = () => {};
        }
        throw thrown;
      }
    };
  }

  /** @throws EngineEndedError when the engine has ended, at this message or before */
  override execProtocolRawSync(message: Uint8Array): Uint8Array {
    if (this.#ended !== undefined) throw this.#ended;
    this.#watch();
    try {
      return super.execProtocolRawSync(message);
    } catch (thrown) {
      throw this.#end(thrown);
    }
  }

  /** An engine that has ended is left as it is: closing would write a last checkpoint from a memory that is not to be trusted. */
  override async close(): Promise<void> {
    if (this.#ended === undefined) await super.close();
  }
}

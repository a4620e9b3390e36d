/**
 * The embedded engine, with the termination handling that PGlite 0.5 lacks. PostgreSQL aborts when it cannot guarantee
 * durability, as on a full disk in the middle of a commit. PGlite then calls it again in an endless synchronous loop, in which
 * neither timers nor signals run (https://github.com/electric-sql/pglite/issues/1058), and the engine continues with the commit.
 */
import { setFlagsFromString } from "node:v8";
import { PGlite, parse, protocol, type QueryOptions, type Results } from "@electric-sql/pglite";

const { serialize } = protocol;

/**
 * The engine is compiled once, by the fast compiler: optimizing it while it runs takes seconds of CPU and 60 MB, which a process
 * that answers from memory does not earn back.
 */
setFlagsFromString("--liftoff-only");
/** Its 14,000 functions are validated when they are first called, which most never are: at once takes half of the time of opening it. */
setFlagsFromString("--wasm-lazy-validation");

/** How PGlite's engine exits a refused statement, which is not a termination. */
const REFUSED = 100;
/** What PostgreSQL logs before it aborts. */
const LAST_WORDS = /(?:PANIC|FATAL): +(.*)/;

/**
 * The engine's memory never shrinks, and its default buffers, made for a server, take 130 MB; the operating system's cache holds
 * the files anyway, and copying, reading and changing 300,000 bars takes as long with 2 MB as with 16. Old files of the log are
 * kept for reuse, up to `max_wal_size`, so that a full disk does not end the engine at once. Statistics come from a tenth of the
 * usual sample: our queries follow keys, and `analyze` takes time.
 */
const SETTINGS = {
  TimeZone: "UTC",
  shared_buffers: "2MB",
  wal_buffers: "1MB",
  max_wal_size: "32MB",
  max_connections: "5",
  default_statistics_target: "10",
};

/** The log in files of 1 MB instead of 16: every database has at least one. */
const CREATION = ["--wal-segsize=1"];

/**
 * Statements that are kept prepared: parsing and planning one again takes twice as long as executing it, and is six messages to the
 * engine instead of one. The memory of each is never returned.
 */
const MOST_PREPARED = 64;
/** It is kept when it is run for the third time: what a start runs is not, nor what has a text of its own for each number of values. */
const KEPT_AFTER = 2;
/** How many texts are counted. */
const MOST_COUNTED = 1_024;

interface Prepared {
  readonly name: string;
  readonly types: readonly number[];
}

/**
 * The protocol's Bind message, all text. The package's own counts the bytes of each text in JavaScript, character by character,
 * which in code that runs once a second takes half a millisecond a moment.
 */
const bindText = (statement: string, values: readonly (string | null)[]): Uint8Array => {
  const sizes = values.map((value) => (value === null ? -1 : Buffer.byteLength(value)));
  const length = sizes.reduce((sum, size) => sum + 4 + Math.max(size, 0), 4 + 1 + Buffer.byteLength(statement) + 1 + 2 + 2 + 2);
  const message = Buffer.allocUnsafe(1 + length);
  let at = message.write("B");
  at = message.writeInt32BE(length, at);
  at += message.write(`\0${statement}\0`, at);
  // No formats: all are text.
  at = message.writeInt16BE(0, at);
  at = message.writeInt16BE(values.length, at);
  values.forEach((value, index) => {
    at = message.writeInt32BE(sizes[index] ?? -1, at);
    if (value !== null) at += message.write(value, at);
  });
  message.writeInt16BE(0, at);
  return message;
};

/** The engine has terminated; the next start recovers everything it had acknowledged. */
export class EngineEndedError extends Error {
  override readonly name = "EngineEndedError";
  /** The SQLSTATE a server sends when another of its processes crashed. */
  readonly code = "57P02";
}

const isRefusal = (thrown: unknown): boolean =>
  typeof thrown === "object" && thrown !== null && "status" in thrown && thrown.status === REFUSED;

/** PGlite that fails immediately and permanently once its engine has terminated. */
export class Engine extends PGlite {
  /** Called once, when the engine terminates on its own. */
  onEnd: (error: EngineEndedError) => void = () => {};
  #isWatched = false;
  #lastWords: string | undefined;
  #ended: EngineEndedError | undefined;
  readonly #prepared = new Map<string, Prepared>();
  /** How often the others were run. */
  readonly #runs = new Map<string, number>();

  private constructor(dataDir: string) {
    super(dataDir, {
      initDbStartParams: CREATION,
      startParams: [
        ...PGlite.defaultStartParams,
        ...Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      ],
      onStderr: (line) => {
        this.#lastWords = LAST_WORDS.exec(line)?.[1] ?? this.#lastWords;
        return true;
      },
    });
  }

  /**
   * @param dataDir as PGlite names it
   * @throws EngineEndedError when the engine reports why it cannot start; otherwise whatever PGlite throws
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

  /** Why it terminated, when it has. */
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

  /** Without the parsers of array types, which a start would look up in the catalog: no statement of ours returns an array. */
  override async _initArrayTypes(): Promise<void> {}

  /** Breaks out of PGlite's loop by throwing from the first engine function it calls after the termination. */
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

  /** @throws EngineEndedError when the engine has terminated, during this message or before */
  override execProtocolRawSync(message: Uint8Array): Uint8Array {
    if (this.#ended !== undefined) throw this.#ended;
    this.#watch();
    try {
      return super.execProtocolRawSync(message);
    } catch (thrown) {
      throw this.#end(thrown);
    }
  }

  /** As PGlite's, with statements that are run often kept prepared. Those of a transaction are not: PGlite runs them past this. */
  override async query<T>(text: string, params: unknown[] = [], options?: QueryOptions): Promise<Results<T>> {
    await this._checkReady();
    if (options?.blob || !this.#isKept(text)) return super.query(text, params, options);
    // As PGlite does: statements run one after the other, and none within a transaction of another caller.
    return this._runExclusiveTransaction(() =>
      this._runExclusiveQuery(async () => {
        const { name, types } = this.#prepared.get(text) ?? (await this.#prepare(text));
        const message = Buffer.concat([
          bindText(
            name,
            params.map((param, index) =>
              param === null || param === undefined ? null : (this.serializers[types[index] ?? 0] ?? String)(param),
            ),
          ),
          serialize.describe({ type: "P" }),
          serialize.execute(),
          serialize.sync(),
        ]);
        const { messages } = await this.execProtocol(message);
        const [results] = parse.parseResults(messages, this.parsers, options);
        return (results ?? { rows: [], fields: [] }) as Results<T>;
      }),
    );
  }

  /** Whether a statement is kept prepared, or is to be. */
  #isKept(text: string): boolean {
    if (this.#prepared.has(text)) return true;
    if (this.#prepared.size >= MOST_PREPARED) return false;
    const runs = this.#runs.get(text) ?? 0;
    if (runs === 0 && this.#runs.size >= MOST_COUNTED) this.#runs.clear();
    this.#runs.set(text, runs + 1);
    return runs >= KEPT_AFTER;
  }

  async #prepare(text: string): Promise<Prepared> {
    const name = `kept_${this.#prepared.size}`;
    const message = Buffer.concat([serialize.parse({ name, text }), serialize.describe({ type: "S", name }), serialize.sync()]);
    const { messages } = await this.execProtocol(message, { syncToFs: false });
    const prepared = { name, types: parse.parseDescribeStatementResults(messages) };
    this.#prepared.set(text, prepared);
    this.#runs.delete(text);
    return prepared;
  }

  /** A terminated engine is not closed: closing would write a checkpoint from memory that may be corrupt. */
  override async close(): Promise<void> {
    if (this.#ended === undefined) await super.close();
  }
}

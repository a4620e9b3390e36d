/** The files of all languages, for suites. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bind, type Messages } from "../message.ts";
import { CODES, type Language, type Text } from "../text.ts";

const inAll = <T>(make: (code: Language) => T): Readonly<Record<Language, T>> =>
  Object.fromEntries(CODES.map((code) => [code, make(code)])) as Record<Language, T>; // one of every language

/** The messages of every language as its file has them. */
export const FILES = inAll<Messages>((code) => JSON.parse(readFileSync(join(import.meta.dirname, `../${code}.json`), "utf8")));

/** The same as pages use them. */
export const TABLES = inAll((code) => bind(FILES[code], code) as Text); // its shape is what is tested

/** Every entry of a table by its path. */
export const entriesIn = <T>(table: object, path = ""): readonly (readonly [path: string, entry: T])[] =>
  Object.entries(table).flatMap(([name, value]) =>
    typeof value === "object" && value !== null ? entriesIn<T>(value, `${path}${name}.`) : [[`${path}${name}`, value as T]],
  );

/** The messages of every language by path. */
export const MESSAGES = inAll((code) => new Map(entriesIn<string>(FILES[code])));

/** Where something is in a JSON file: what is wrong in it, as an editor counts lines and columns. */

const TEXT = String.raw`"(?:[^"\\\n]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const TOKEN = new RegExp(String.raw`[ \t\r\n]*(?:([{}[\],:])|(${TEXT})|(${NUMBER}|true|false|null))`, "y");

/** Where the text stops being JSON. */
class Fault extends Error {
  readonly at: number;
  constructor(at: number) {
    super("not JSON");
    this.at = at;
  }
}

/** Control characters have to be escaped in a string. */
const hasControl = (text: string): boolean => [...text].some((letter) => letter < " ");

type Path = readonly PropertyKey[];

const keyOf = (path: Path): string => JSON.stringify(path);

/**
 * Reads a text as far as it is JSON.
 * @returns where each key or item begins, by its path, and where the text is no longer JSON; null when all of it is
 */
const scan = (text: string): { readonly places: ReadonlyMap<string, number>; readonly faultAt: number | null } => {
  const places = new Map<string, number>();
  let at = 0;
  const startOfNext = (): number => at + (/^[ \t\r\n]*/.exec(text.slice(at))?.[0].length ?? 0);
  const next = (): { readonly token: string; readonly start: number } => {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (!found) throw new Fault(startOfNext());
    const token = found[1] ?? found[2] ?? found[3] ?? "";
    at = TOKEN.lastIndex;
    const start = at - token.length;
    if (found[2] !== undefined && hasControl(found[2])) throw new Fault(start);
    return { token, start };
  };
  const expect = (wanted: (token: string) => boolean): string => {
    const { token, start } = next();
    if (!wanted(token)) throw new Fault(start);
    return token;
  };
  const list = (end: string, item: (index: number) => void): void => {
    const before = at;
    if (next().token === end) return;
    at = before;
    for (let index = 0; ; index += 1) {
      item(index);
      if (expect((token) => token === "," || token === end) === end) return;
    }
  };
  const value = (path: Path): void => {
    const token = expect((each) => !/^[}\],:]$/.test(each));
    if (token === "[") {
      list("]", (index) => {
        places.set(keyOf([...path, index]), startOfNext());
        value([...path, index]);
      });
    } else if (token === "{") {
      list("}", () => {
        const start = startOfNext();
        const key: unknown = JSON.parse(expect((each) => each.startsWith('"')));
        const inner = [...path, String(key)];
        places.set(keyOf(inner), start);
        expect((each) => each === ":");
        value(inner);
      });
    }
  };
  try {
    places.set(keyOf([]), startOfNext());
    value([]);
    return { places, faultAt: startOfNext() === text.length ? null : startOfNext() };
  } catch (error) {
    if (error instanceof Fault) return { places, faultAt: error.at };
    throw error;
  }
};

const lineAndColumn = (text: string, at: number): string => {
  const lines = text.slice(0, at).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
};

/** Where a text that is not JSON stops being it, such as `line 3, column 7`. */
export const jsonFaultPlace = (text: string): string => lineAndColumn(text, scan(text).faultAt ?? text.length);

/** Where the value of a path is, or what of it there is. */
export const jsonPlace = (text: string, path: Path): string => {
  const { places } = scan(text);
  let known = path;
  while (known.length > 0 && !places.has(keyOf(known))) known = known.slice(0, -1);
  return lineAndColumn(text, places.get(keyOf(known)) ?? 0);
};

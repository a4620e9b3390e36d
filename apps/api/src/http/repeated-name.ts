/** Finds a name that one object of a JSON text has twice: `JSON.parse` keeps the last, and the other question goes unanswered. */

/** A string with the colon that makes it a name, or what opens and closes an object or a list. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g;

/**
 * Finds the first name that an object has twice.
 * @param json text that `JSON.parse` has read, and that is not nested deep
 * @returns undefined when there is none
 */
export const repeatedName = (json: string): string | undefined => {
  const open: Set<string>[] = [];
  for (const [token, colon] of json.matchAll(TOKENS)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (colon !== undefined) {
      const name: string = JSON.parse(token.slice(0, -colon.length));
      const names = open.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    }
  }
  return undefined;
};

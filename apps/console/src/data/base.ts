/** Where the service is: the folder of the page, so that the console works under any path prefix. */

/** The base URL, with a slash at its end. Every page of the console is one level below it. */
export const BASE = new URL("./", document.baseURI).href;

/** The absolute URL of a path below the base, given without a slash in front. */
export const at = (path: string): string => new URL(path, BASE).href;

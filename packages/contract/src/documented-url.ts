/** The base of links in committed documents; a running service substitutes its own address. */
export const DOCUMENTED_URL = "http://127.0.0.1:8080";

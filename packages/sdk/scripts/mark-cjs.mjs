/** Marks what the second compilation wrote as CommonJS; the package around it is ESM. */
import { writeFileSync } from "node:fs";

writeFileSync(new URL("../dist/cjs/package.json", import.meta.url), '{ "type": "commonjs" }\n');

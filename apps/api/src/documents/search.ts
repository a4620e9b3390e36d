/** What the search of the pages looks through: every section of the guides and the error pages, as plain text. */
import { plain, slugOf } from "./markdown.ts";
import type { TextDocument } from "./texts.ts";

interface Section {
  /** Its page, and its anchor in it. */
  readonly path: string;
  readonly title: string;
  /** Its heading; empty for what stands above the first. */
  readonly heading: string;
  readonly text: string;
}

/** Cuts a page at its headings; a `#` within code is none. */
const sectionsOf = ({ path, title }: Pick<TextDocument, "path" | "title">, markdown: string): Section[] => {
  const sections: { heading: string; lines: string[] }[] = [{ heading: "", lines: [] }];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    const heading = isCode ? undefined : /^##+ (.+)$/.exec(line)?.[1];
    if (heading !== undefined) sections.push({ heading: plain(heading), lines: [] });
    else if (!line.startsWith("```") && !line.startsWith("# ")) sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ heading, lines }) => ({
    path: heading === "" ? path : `${path}#${slugOf(heading)}`,
    title,
    heading,
    text: plain(lines.join("\n").replace(/[|#]|^-+/gm, " ")),
  }));
};

/**
 * The index.
 * @param documents the pages, without their lists
 */
export const searchIndex = async (documents: readonly TextDocument[], basePath: string): Promise<string> => {
  const sections = await Promise.all(documents.map(async (each) => sectionsOf(each, await each.markdown())));
  return JSON.stringify(
    sections
      .flat()
      .filter(({ text, heading }) => text !== "" || heading !== "")
      .map((section) => ({ ...section, path: basePath + section.path })),
  );
};

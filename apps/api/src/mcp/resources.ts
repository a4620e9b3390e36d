/** The documents as resources: the guides, the error pages and llms.txt, under the addresses they are served at. */
import { type Resource, ResourceNotFoundError, type TextResourceContents } from "@modelcontextprotocol/server";
import { llmsText } from "../documents/llms.ts";
import type { Documents } from "../documents.ts";

/** A resource and its text, which is built when it is read. */
interface Readable {
  readonly listed: Resource;
  readonly text: () => string | Promise<string>;
}

/** What agents can read, by address. */
export interface Resources {
  readonly list: () => Resource[];
  /** @throws ResourceNotFoundError when there is none at the address */
  readonly read: (uri: string) => Promise<TextResourceContents>;
}

const readablesOf = ({ site, texts, isSimulated }: Documents): Readable[] => {
  const { guides, errors } = texts();
  const { publicUrl } = site();
  return [
    {
      listed: {
        uri: `${publicUrl}/llms.txt`,
        name: "llms.txt",
        title: "Overview",
        description: "What holds on every route, and a list of all routes and documents.",
        mimeType: "text/plain",
      },
      text: async () => llmsText(guides, errors, site(), await isSimulated()),
    },
    ...[...guides, ...errors].map(({ path, title, lead, markdown }) => ({
      listed: {
        uri: `${publicUrl}${path}.md`,
        name: path.slice("/docs/".length),
        title,
        description: lead,
        mimeType: "text/markdown",
      },
      text: markdown,
    })),
  ];
};

/** Opens the resources; nothing is read before it is asked for. */
export const openResources = (documents: Documents): Resources => {
  let opened: ReadonlyMap<string, Readable> | undefined;
  const open = (): ReadonlyMap<string, Readable> => {
    opened ??= new Map(readablesOf(documents).map((readable) => [readable.listed.uri, readable]));
    return opened;
  };
  return {
    list: () => [...open().values()].map(({ listed }) => listed),
    read: async (uri) => {
      const found = open().get(uri);
      if (!found) throw new ResourceNotFoundError(uri);
      return { uri, mimeType: found.listed.mimeType, text: await found.text() };
    },
  };
};

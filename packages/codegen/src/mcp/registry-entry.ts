/** `server.json`: how the MCP registry describes the tools. Assay is self-hosted, so the reader names the host. */
import { VERSION } from "@assay/contract";

const REPOSITORY = "https://github.com/assay-metals/assay";

export const registryEntry = () => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: "io.github.assay-metals/assay",
  title: "Assay",
  description: "Precious-metals prices: spot, history, conversion and quotes, exact to the last digit",
  version: VERSION,
  repository: { url: REPOSITORY, source: "github" },
  remotes: [
    {
      type: "streamable-http",
      url: "https://{host}/mcp",
      variables: { host: { description: "Host of an Assay service, and its port if it is not 443", isRequired: true } },
      headers: [
        {
          name: "Authorization",
          description: "Bearer and an API key; without one the tools answer as for anonymous callers",
          value: "Bearer {key}",
          variables: { key: { description: "An API key of the service", isSecret: true } },
        },
      ],
    },
  ],
});

import { opensDeeperThan } from "@crosszone/jsonrpc";

/** Levels of arrays and objects. Parsing a million levels takes seconds and blocks the process. */
const maxDepth = 64;

/** The JSON of an agent card; undefined when it is not JSON, or nested too deep. */
export function parseCard(body: Uint8Array): unknown {
  if (opensDeeperThan(body, maxDepth)) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

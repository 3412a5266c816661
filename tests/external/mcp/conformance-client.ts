/**
 * The client of the conformance suite of the Model Context Protocol: calls every tool of the server at the URL of the
 * last argument, as a turn of the assistant does.
 */
import { env } from "node:process";
import { createMcpServers } from "@crosszone/assistant/mcp";
import { memoryPins } from "@crosszone/assistant/testing/mcp";

interface Context {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: object }[];
}

const url = process.argv.at(-1) ?? "";
const context = JSON.parse(env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as Context;

/** The calls of a scenario; a tool without one is called without arguments. */
const calls = context.toolCalls ?? [{ name: "add_numbers", arguments: { a: 5, b: 3 } }];

/** An operator writes the issuer into the settings; the suite starts one that only the server's metadata names. */
async function issuerOf(): Promise<string> {
  const { origin, pathname } = new URL(url);
  const path = pathname === "/" ? "" : pathname;
  const response = await fetch(`${origin}/.well-known/oauth-protected-resource${path}`);
  const { authorization_servers: [issuer] = [] } = (await response.json()) as { authorization_servers?: string[] };
  return issuer ?? origin;
}

const { client_id: clientId, client_secret: secret = "", private_key_pem: key } = context;
const oauth = clientId !== undefined && {
  issuer: await issuerOf(),
  clientId,
  scopes: [],
  readCredentials: async () => (key === undefined ? { secret } : { key }),
};
const failures: string[] = [];
const mcp = createMcpServers({
  servers: [{ name: "suite", reach: { url, fetch, ...(oauth && { oauth }) }, isReadOnly: false, callMs: 10_000 }],
  pins: memoryPins(),
  limits: { connectMs: 10_000, mostBytes: 10_000_000, listedMs: 60_000, failedMs: 0 },
  emit: (event, ...[fields]) => event === "mcp_server_failed" && failures.push(JSON.stringify(fields)),
});
const { signal } = new AbortController();
const { tools, close } = await mcp.openTurn(signal);
const outcomes = await Promise.all(
  tools
    .flatMap((tool) => {
      const own = calls.filter(({ name }) => tool.name === `suite_${name}`);
      const all = own.length === 0 ? [{ arguments: {} }] : own;
      return all.map(async ({ arguments: input }, at) => {
        const { text } = await tool.run(input, { signal, number: at + 1 });
        return `${tool.name}: ${text}`;
      });
    })
    .map((call) => call.catch(String)),
);
console.log(outcomes.join("\n"));
close();
await mcp.close();
if (failures.length > 0) throw new Error(failures.join("\n"));

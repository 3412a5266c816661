import { samples } from "../../agents/src/samples/samples.ts";
import type { AskAccess } from "./ask-access.ts";
import type { DevEnvironment } from "./environment.ts";
import type { ZoneAccess } from "./zone-file.ts";

/** Returns the text to print when everything is up: one address, one example. */
export function banner(
  { services, localSlack, samplesFile, modelLines, notices }: DevEnvironment,
  access?: ZoneAccess,
  programs?: AskAccess,
): string {
  const urlOf = (name: string): string => services.find((service) => service.name === name)?.url ?? "";
  const rows = services.map(({ name, url }) => `    ${name.padEnd(13)}${url}/healthz`);
  const elsewhere = urlOf("dev-slack").endsWith(":3100") ? "" : ` --url ${urlOf("dev-slack")}`;
  // `pnpm crosszone` finds a zone by this port.
  const port = services.find(({ variable }) => variable === "VERIFICATION_PORT")?.port;
  const named = localSlack && port !== 3000 ? `VERIFICATION_PORT=${String(port)} ` : "";
  const next = localSlack
    ? [
        `  Open  ${urlOf("dev-slack")}  and write to Crosszone, for example:  what is 12% of 340, in words?`,
        `  or in another terminal:  npx -y pnpm@12.18.0 chat${elsewhere} "2+2 in words?"`,
      ]
    : ["  Connected to your Slack workspace. Write to the app there, or mention it in a channel."];
  const agents = samples.map(({ name, protocol, example }) => `    ${protocol.padEnd(13)}ask ${name}: ${example}`);
  const ask = samplesFile !== undefined ? ["", "  Sample agents, which are asked over HTTP:", ...agents] : [];
  const runs = access
    ? [
        "",
        "  Workflows run across agents, from a terminal, and are watched in the browser:",
        `    ${named}npx -y pnpm@12.18.0 crosszone ${samplesFile !== undefined ? 'run publish-text --input text="This is is a text."' : "workflows"}`,
        `    ${access.url}/runs#token=${encodeURIComponent(access.token)}`,
      ]
    : [];
  const connect = [
    "",
    "  Connect your own agent (docs/agents.md):",
    `    ${named}npx -y pnpm@12.18.0 crosszone agents add my-agent http://127.0.0.1:8090`,
  ];
  const header = `--header "Authorization: Bearer ${programs?.token ?? "<token>"}"`;
  const asking = programs
    ? [
        "",
        "  Let other programs ask, over MCP or A2A:",
        `    claude mcp add --transport http crosszone ${programs.url}/mcp ${header}`,
        `    ${programs.url}/a2a/builtin/  with the same token`,
      ]
    : [];
  const why = notices.flatMap((notice) => ["", `  ${notice}`]);
  return [
    "",
    "  Crosszone is up.",
    "",
    ...next,
    ...modelLines,
    ...ask,
    ...runs,
    ...(access ? connect : []),
    ...asking,
    ...why,
    "",
    ...rows,
    "",
    "  Ctrl-C stops everything.",
    "",
    "",
  ].join("\n");
}

import type { AgentRecord } from "@crosszone/contracts";
import type { AgentsApi } from "../api/agents-api.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { exitCodes, UsageError } from "../program/errors.ts";
import { pageNotice, pageOptions, readDuration, readPage } from "../program/options.ts";
import { factsText, fit, harmlessJson, harmlessLine, table } from "../text/terminal-text.ts";
import { canaryText } from "./agents-canary.ts";
import { healthText } from "./agents-test.ts";
import { orNearAgent } from "./unknown-names.ts";

/** Column widths that keep a row within 80 columns for most names. */
const widths = { name: 20, url: 36 };

export const listAgents: Command = defineCommand({
  name: "agents list",
  summary: "Lists the registered agents by name.",
  operands: [],
  options: { ...pageOptions, json: jsonOption },
  examples: [["crosszone agents", "short form of the same"]],
  run: async ({ values: { json, ...page } }, { api, stdout, stderr }) => {
    const list = await api().agents.list(readPage(page));
    const rows = list.agents.map(({ name, protocol, enabled, url }) => [
      fit(name, widths.name),
      protocol,
      enabled ? "on" : "off",
      fit(url, widths.url),
    ]);
    stdout.write(json ? `${harmlessJson(list)}\n` : table(["AGENT", "PROTOCOL", "STATE", "URL"], rows));
    if (!json) stderr.write(pageNotice(list, rows.length));
    return exitCodes.done;
  },
});

export const showAgent: Command = defineCommand({
  name: "agents show",
  summary: "Shows an agent's settings.",
  operands: ["<agent>"],
  options: { json: jsonOption },
  examples: [["crosszone agents show counter --json", "for programs"]],
  run: async ({ values: { json }, operands: [name = ""] }, { api, stdout }) => {
    const { agents } = api();
    const agent = await agents.get(name).catch(orNearAgent(agents, name));
    stdout.write(json ? `${harmlessJson(agent)}\n` : settingsText(agent));
    return exitCodes.done;
  },
});

export const addAgent: Command = defineCommand({
  name: "agents add",
  summary: "Registers an agent by its URL and checks that it can be reached.",
  operands: ["<agent>", "<url>"],
  options: {
    description: { flags: "--description <text>", help: "description that people read in /agents" },
    protocol: { flags: "--protocol <protocol>", help: "auto (default), a2a-1.0, jsonrpc-2.0 or simple-a2a" },
    timeout: { flags: "--timeout <time>", help: "timeout of one call, such as 90s or 5m" },
    bearer: {
      flags: "--bearer <secret>",
      help: "env:AGENT_SECRET_… or file:…, listed in AGENT_SECRETS_ORIGINS; sent as a bearer token",
    },
    json: jsonOption,
  },
  examples: [
    ["crosszone agents add counter http://127.0.0.1:8090", "an agent on this machine"],
    ["crosszone agents add mine https://a.example.com --bearer env:AGENT_SECRET_MINE", "an agent that needs a token"],
  ],
  run: async ({ values, operands: [name = "", url = ""] }, { api, stdout }) => {
    const { description, protocol, timeout, bearer, json } = values;
    if (!/^https?:\/\//.test(url))
      throw new UsageError(`<url> must start with http:// or https://, got "${harmlessLine(url)}".`);
    const { agents } = api();
    const agent = await agents.add({
      name,
      url,
      ...(description !== undefined && { description }),
      ...(protocol !== undefined && { protocol }),
      ...(timeout !== undefined && { timeout_ms: readDuration("--timeout", timeout) }),
      ...(bearer !== undefined && { auth: { type: "bearer" as const, token: bearer } }),
    });
    if (json) {
      stdout.write(`${harmlessJson(agent)}\n`);
      return exitCodes.done;
    }
    stdout.write(`Added ${harmlessLine(name)}.\n${healthText(await agents.check(name))}`);
    stdout.write(`Ask it: crosszone ask ${shellWord(name)} "…"   In Slack: ask ${harmlessLine(name)}: …\n`);
    return exitCodes.done;
  },
});

export const enableAgent: Command = changingCommand({
  name: "agents enable",
  summary: "Turns an agent on.",
  change: (agents, name) => agents.enable(name),
});

export const disableAgent: Command = changingCommand({
  name: "agents disable",
  summary: "Turns an agent off. Its settings are kept.",
  change: (agents, name) => agents.disable(name),
});

export const removeAgent: Command = defineCommand({
  name: "agents remove",
  summary: "Deletes an agent from the registry. Remove agents of AGENTS_FILE in that file.",
  operands: ["<agent>"],
  options: {},
  examples: [["crosszone agents remove counter", "people can no longer ask it"]],
  run: async ({ operands: [name = ""] }, { api, stdout }) => {
    const { agents } = api();
    await agents.remove(name).catch(orNearAgent(agents, name));
    stdout.write(`Removed ${harmlessLine(name)}.\n`);
    return exitCodes.done;
  },
});

interface AgentChange extends Pick<Command, "name" | "summary"> {
  readonly change: (agents: AgentsApi, name: string) => Promise<AgentRecord>;
}

function changingCommand({ name: command, summary, change }: AgentChange): Command {
  return defineCommand({
    name: command,
    summary,
    operands: ["<agent>"],
    options: { json: jsonOption },
    examples: [[`crosszone ${command} counter`, summary.replace(/[.;].*$/, "").toLowerCase()]],
    run: async ({ values: { json }, operands: [name = ""] }, { api, stdout }) => {
      const { agents } = api();
      const agent = await change(agents, name).catch(orNearAgent(agents, name));
      const sentence = `${harmlessLine(agent.name)} is ${agent.enabled ? "on" : "off"}.\n`;
      stdout.write(json ? `${harmlessJson(agent)}\n` : sentence);
      return exitCodes.done;
    },
  });
}

function settingsText(agent: AgentRecord): string {
  const { name, url, description, protocol, auth, enabled, source } = agent;
  const { timeout_ms, max_concurrency, previous, updated_at } = agent;
  return factsText({
    name,
    url,
    description,
    protocol,
    auth: auth.type,
    state: enabled ? "on" : "off",
    source,
    timeout: `${timeout_ms / 1_000} s`,
    concurrency: String(max_concurrency),
    canary: canaryText(agent),
    before: previous && `${previous.protocol} at ${previous.url}, until ${previous.at}`,
    updated: updated_at,
  });
}

const shellWord = (name: string): string => (/^[\w.-]+$/.test(name) ? name : `'${harmlessLine(name)}'`);

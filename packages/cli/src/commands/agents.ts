import type { AgentRecord } from "@crosszone/contracts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { pageNotice, pageOptions, readPage } from "../program/options.ts";
import { factsText, fit, harmlessLine, table } from "../text/terminal-text.ts";
import { orNearAgent } from "./unknown-names.ts";

/** Column widths that keep a row within 80 columns for most names. */
const widths = { name: 20, url: 36 };

export const listAgents: Command = defineCommand({
  name: "agents list",
  summary: "Lists the registered agents by name.",
  operands: [],
  options: { ...pageOptions, json: jsonOption },
  examples: [["crosszone agents", "short form of the same"]],
  run: async ({ values }, { api }) => {
    const list = await api().agents.list(readPage(values));
    const rows = list.agents.map(({ name, protocol, enabled, url }) => [
      fit(name, widths.name),
      protocol,
      enabled ? "on" : "off",
      fit(url, widths.url),
    ]);
    const text = table(["AGENT", "PROTOCOL", "STATE", "URL"], rows);
    return { json: list, text, notice: pageNotice(list, rows.length) };
  },
});

export const showAgent: Command = defineCommand({
  name: "agents show",
  summary: "Shows an agent's settings.",
  operands: ["<agent>"],
  options: { json: jsonOption },
  examples: [["crosszone agents show counter --json", "for programs"]],
  run: async ({ operands: [name = ""] }, { api }) => {
    const { agents } = api();
    const agent = await agents.get(name).catch(orNearAgent(agents, name));
    return { json: agent, text: settingsText(agent) };
  },
});

export const enableAgent: Command = switchCommand("enable", "Turns an agent on.");

export const disableAgent: Command = switchCommand("disable", "Turns an agent off. Its settings are kept.");

export const removeAgent: Command = defineCommand({
  name: "agents remove",
  summary: "Deletes an agent from the registry. Remove agents of AGENTS_FILE in that file.",
  operands: ["<agent>"],
  options: {},
  examples: [["crosszone agents remove counter", "people can no longer ask it"]],
  run: async ({ operands: [name = ""] }, { api }) => {
    const { agents } = api();
    await agents.remove(name).catch(orNearAgent(agents, name));
    return { text: `Removed ${harmlessLine(name)}.\n` };
  },
});

function switchCommand(change: "enable" | "disable", summary: string): Command {
  return defineCommand({
    name: `agents ${change}`,
    summary,
    operands: ["<agent>"],
    options: { json: jsonOption },
    examples: [[`crosszone agents ${change} counter`, summary.replace(/[.;].*$/, "").toLowerCase()]],
    run: async ({ operands: [name = ""] }, { api }) => {
      const { agents } = api();
      const agent = await agents[change](name).catch(orNearAgent(agents, name));
      return { json: agent, text: `${harmlessLine(agent.name)} is ${agent.enabled ? "on" : "off"}.\n` };
    },
  });
}

export function settingsText(agent: AgentRecord): string {
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
    before: previous && `${previous.protocol} at ${previous.url}, until ${previous.at}`,
    updated: updated_at,
  });
}

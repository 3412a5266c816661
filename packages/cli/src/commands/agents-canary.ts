import type { AgentRecord } from "@crosszone/contracts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { exitCodes, UsageError } from "../program/errors.ts";
import { harmlessJson, harmlessLine } from "../text/terminal-text.ts";
import { orNearAgent } from "./unknown-names.ts";

export const canaryAgent: Command = defineCommand({
  name: "agents canary",
  summary: "Sends a share of an agent's tasks to another protocol or URL. It ends by itself when it fails or is slow.",
  operands: ["<agent>"],
  options: {
    share: { flags: "--share <share>", help: "share of the conversations, such as 10% or 0.1" },
    protocol: { flags: "--protocol <protocol>", help: "their protocol (default: the agent's)" },
    url: { flags: "--url <url>", help: "where they go (default: the agent's URL)" },
    maxErrors: { flags: "--max-errors <share>", help: "how much more often they can fail (default: 5%)" },
    maxLatency: { flags: "--max-latency <times>", help: "how many times longer the median can take (default: 2)" },
    minTasks: { flags: "--min-tasks <count>", help: "tasks before it is judged (default: 20)" },
    end: { flags: "--end", help: "end it: all tasks go to the agent's own protocol and URL" },
    promote: { flags: "--promote", help: "make its protocol and URL those of the agent" },
    json: jsonOption,
  },
  examples: [
    ["crosszone agents canary counter --share 10% --url http://10.0.0.9:8090", "try a new version"],
    ["crosszone agents canary counter --share 25% --protocol a2a-1.0", "try another protocol"],
    ["crosszone agents canary counter --promote", "keep it"],
  ],
  run: async ({ values: { json, ...values }, operands: [name = ""] }, { api, stdout }) => {
    const change = changeOf(values);
    const { agents } = api();
    const changed = change === "promote" ? agents.promote(name) : agents.change(name, { canary: change });
    const agent = await changed.catch(orNearAgent(agents, name));
    stdout.write(
      json ? `${harmlessJson(agent)}\n` : `${harmlessLine(name)}: ${canaryText(agent) ?? stableText(agent)}\n`,
    );
    return exitCodes.done;
  },
});

/** Returns where a canary's tasks go; undefined without one. */
export function canaryText({ canary, protocol, url }: AgentRecord): string | undefined {
  if (canary === undefined) return undefined;
  const share = `${Number((canary.share * 100).toPrecision(12))}%`;
  return harmlessLine(`${share} of the conversations go to ${canary.protocol ?? protocol} at ${canary.url ?? url}`);
}

const stableText = ({ protocol, url }: AgentRecord): string => harmlessLine(`all tasks go to ${protocol} at ${url}`);

type Values = Readonly<Record<"share" | "protocol" | "url" | "maxErrors" | "maxLatency" | "minTasks", string>> & {
  readonly end: boolean;
  readonly promote: boolean;
};

/** Returns the merge patch of the canary; null ends it. */
function changeOf({ end, promote, ...values }: Partial<{ [Name in keyof Values]: Values[Name] | undefined }>) {
  const { share, protocol, url } = values;
  const given = Object.values(values).some((value) => value !== undefined);
  if ([end === true, promote === true, given].filter(Boolean).length !== 1)
    throw new UsageError("Write --share with --protocol or --url, or --end, or --promote.");
  if (promote === true) return "promote";
  if (end === true) return null;
  const numbers = {
    share: numberIn("--share", share),
    max_error_rate: numberIn("--max-errors", values.maxErrors),
    max_latency_ratio: numberIn("--max-latency", values.maxLatency),
    min_tasks: numberIn("--min-tasks", values.minTasks),
  };
  const known = Object.entries({ protocol, url, ...numbers }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as Readonly<Record<string, string | number>>;
}

function numberIn(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, number, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  if (number === undefined) throw new UsageError(`${option} must be a number, such as 10% or 0.1, got "${text}".`);
  return percent === "%" ? Number(number) / 100 : Number(number);
}

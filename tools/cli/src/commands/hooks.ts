import { randomUUID } from "node:crypto";
import { namedText } from "@crosszone/service-kit/text";
import { signWebhook, webhookSecretProblem } from "@crosszone/service-kit/webhooks";
import { type Command, defineCommand } from "../program/command.ts";
import { checkUrl, readGiven, readHeaders } from "../program/options.ts";
import { listRow } from "../program/row.ts";
import { UsageError } from "../program/session.ts";
import { findNamed } from "../program/unknown-names.ts";
import { harmless, harmlessLine, useOf } from "../text/terminal-text.ts";

const listHooks = listRow({
  name: "hooks list",
  operation: "listHooks",
  summary: "Lists the hooks, what they start, and their use today.",
  examples: [["crosszone hooks", "what the section hooks of EXECUTION_FILE has"]],
  of: ({ hooks, left_out = [] }) => [...hooks, ...left_out],
  columns: (hook, { list: { names } }) => {
    if ("because" in hook) return { HOOK: hook.name, LAST: "not served", REFUSED: hook.because };
    const { name, sign, agent, event, owner, used, cap, last_fire, refused, warnings } = hook;
    return {
      HOOK: name,
      SIGNED: sign.kind,
      STARTS: warnings?.[0] ?? agent ?? `event ${event}`,
      OWNER: namedText(owner.user_id, names),
      TODAY: used && useOf(used, cap),
      LAST: last_fire === undefined ? "never" : `${last_fire.outcome ?? last_fire.state} ${last_fire.created_at}`,
      REFUSED: refused?.reasons.map(({ reason, count }) => `${reason} ${count}`).join(", "),
    };
  },
  none: "No hooks. Name them in the section hooks of EXECUTION_FILE.",
  names: { kind: "hooks", of: ({ name }) => name },
});

const sendHook: Command = defineCommand({
  name: "hooks send",
  summary: "Signs a body as its sender does, sends it to a hook, and prints the answer.",
  operands: ["<name>"],
  options: {
    file: { flags: "--file <path>", help: "the body, JSON" },
    secretEnv: { flags: "--secret-env <variable>", help: "the variable that has the secret" },
    header: { flags: "--header <text>", multiple: true, help: "another header, such as 'x-github-event: issues'" },
    url: { flags: "--url <url>", help: "where to send it (default: as the zone says)" },
  },
  examples: [
    [
      "crosszone hooks send ci --file issue.json --secret-env HOOK_SECRET --header 'x-github-event: issues'",
      "try a hook, with a header",
    ],
  ],
  run: async ({ values: { file, secretEnv, header, url }, operands: [name = ""] }, { api, env }) => {
    if (file === undefined || secretEnv === undefined) throw new UsageError("--file and --secret-env are required.");
    const { hooks } = await api().call("listHooks", {});
    const hook = findNamed(hooks, name, { problem: `No hook is called "${harmlessLine(name)}".`, command: "hooks" });
    const secret = env[secretEnv] ?? "";
    const problem = webhookSecretProblem(hook.sign, secret);
    if (problem) throw new UsageError(`${secretEnv} must have the secret of the hook: it ${problem}.`);
    if (url !== undefined) checkUrl("--url", url);
    const body = await readGiven(file);
    const signed = signWebhook(hook.sign, secret, { body, id: randomUUID(), now: Date.now() });
    const headers = { "content-type": "application/json", ...signed, ...Object.fromEntries(readHeaders(header)) };
    const to = url ?? hook.url;
    // A redirect must not carry a token to another address.
    const request = { method: "POST", headers, body, redirect: "manual", signal: AbortSignal.timeout(15_000) } as const;
    const response = await fetch(to, request).catch((error: unknown) => {
      throw new UsageError(
        `Cannot reach ${harmlessLine(to)}: ${String((error as Error).cause ?? error)}. Name another: --url.`,
      );
    });
    const text = `${harmless(await response.text()).trimEnd()}\n`;
    return { text, notice: `HTTP ${response.status} of ${harmlessLine(to)}\n`, isDone: response.ok };
  },
});

/** In the order of the help. */
export const hookCommands: readonly Command[] = [listHooks, sendHook];

// suite: rest
import { setTimeout as delay } from "node:timers/promises";
import type { Message } from "@crosszone/dev-slack";
import { describe, expect, test, vi } from "vitest";
import { askingToken, postAs, rpcOf } from "../harness/runs-api.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";

// Each test starts a process, which is slow on a busy machine.
const bob = "U0BOB000001";
const input = { text: "5000 EUR to Acme" };
const has = (message: Message, text: string): boolean => JSON.stringify(message).includes(text);

type Json = Record<string, unknown>;

/** Starts what `./crosszone dev` starts, with a program `ci` that can ask over A2A and MCP. */
async function startZones() {
  const programs = { askers: [{ token: "ci", agents: ["send-invoice"] }] };
  const zones = await startWithAgents({ env: { ASK_PORT: "0" }, sections: { programs } });
  const { slack, log } = zones;
  const askUrl = (): string => String(log.find(({ event }) => event === "ask_listening")?.["url"]);
  const token = await askingToken(zones.url);
  const send = async (path: string, method: string, params: object): Promise<Json> => {
    const { text } = await postAs(token)(`${askUrl()}${path}`, rpcOf(method, params));
    return (JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text) as { readonly result: Json }).result;
  };
  const cards = (): Message[] =>
    slack.control
      .workspace()
      .channels.flatMap(({ id }) => slack.control.messages({ channel: id }))
      .filter((message) => has(message, input.text) && message.channel.startsWith("D"));
  /** Presses a button of the card, as Bob does in his direct message with the app. */
  const press = async ({ channel, ts, blocks }: Message, verb: string): Promise<void> => {
    const [action_id = ""] = new RegExp(`input:${verb}:[\\w-]+`).exec(JSON.stringify(blocks)) ?? [];
    expect(await slack.control.act({ user: "bob", channel, ts, action_id })).not.toHaveProperty("warning");
  };
  const shown = (text: string) => slack.control.waitForMessage((message) => has(message, text));
  return { ...zones, send, cards, press, shown };
}

type Zones = Awaited<ReturnType<typeof startZones>>;

/** What the requester reads while it waits, and what it gets at the end. */
interface Started {
  readonly waiting: () => Promise<string>;
  readonly ended: () => Promise<string>;
}

const starts: Readonly<Record<string, (zones: Zones) => Started>> = {
  "the command line": ({ cli }) => {
    const run = cli("run", "send-invoice", "--input", `text=${input.text}`);
    return { waiting: async () => (await run).err, ended: async () => (await run).out };
  },
  "the HTTP API": ({ api, cli }) => {
    const id = api.start("send-invoice", input);
    const list = async (): Promise<string> => (await cli("approvals", "list", "--state", "open")).out;
    return {
      waiting: () => vi.waitUntil(async () => /.*Bob Carter.*/.exec(await list())?.[0]),
      ended: async () => JSON.stringify((await api.ended(await id)).output),
    };
  },
  A2A: ({ send }) => {
    const message = { kind: "message", messageId: "m1", role: "user", parts: [{ kind: "data", data: input }] };
    const sent = send("/a2a/send-invoice", "message/send", { message, configuration: { blocking: true } });
    const read = async (): Promise<string> =>
      JSON.stringify(await send("/a2a/send-invoice", "tasks/get", { id: (await sent)["id"] }));
    const ended = async (): Promise<string> => /.*"completed".*/.exec(await read())?.[0] ?? "";
    return { waiting: async () => JSON.stringify(await sent), ended: () => vi.waitUntil(ended, 60_000) };
  },
  MCP: ({ send }) => {
    const called = send("/mcp", "tools/call", { name: "run_send-invoice", arguments: input });
    const read = async (): Promise<string> => {
      const { task_id } = (await called)["structuredContent"] as { task_id: string };
      return JSON.stringify(await send("/mcp", "tools/call", { name: "get_task", arguments: { task_id } }));
    };
    const ended = async (): Promise<string> => /.*"success".*/.exec(await read())?.[0] ?? "";
    return { waiting: async () => JSON.stringify(await called), ended: () => vi.waitUntil(ended, 60_000) };
  },
};

const requesters: Readonly<Record<string, string>> = {
  "the command line": "token bootstrap, through the API",
  "the HTTP API": "token bootstrap, through the API",
  A2A: "program ci, over A2A",
  MCP: "program ci, over MCP",
};

describe.each(Object.entries(starts))("work that began over %s", (name, start) => {
  test("P3, P9: asks the person who decides by direct message, and goes on after the press", async () => {
    const zones = await startZones();
    const { waiting, ended } = start(zones);
    const card = await zones.shown("Waiting for");
    const place = zones.slack.control.workspace().channels.find(({ id }) => id === card.channel);
    expect(place).toMatchObject({ kind: "im", members: expect.arrayContaining([bob]) as unknown });
    expect(JSON.stringify(card.blocks)).toContain(`Requested by ${requesters[name]} · workflow send-invoice, run `);
    // The command prints it while it waits, and ends only after the press.
    const text = name === "the command line" ? undefined : await waiting();
    // The command asks twice a second, and a person takes longer than that.
    if (text === undefined) await delay(3_000);
    await zones.press(card, "approve");
    expect(await ended()).toContain("Sent invoice ");
    expect(text ?? (await waiting())).toContain("Bob Carter");
    await zones.shown(`Approved by <@${bob}>`);
    expect(zones.cards()).toHaveLength(1);
  });
});

import { setTimeout as delay } from "node:timers/promises";
import type { Agent } from "@crosszone/execution";
import { askingAgent } from "./asking-agent.ts";
import { startAskedZone } from "./start-asked-zone.ts";

/** Takes longer than a held answer is silent. */
const echo: Agent = {
  name: "echo",
  description: "Echoes",
  skills: [],
  run: async ({ text }, { preview, signal }) => {
    if (text === "hold" || text === "wait") await delay(text === "hold" ? 17_000 : 60_000, undefined, { signal });
    if (text === "stream") {
      preview?.text("one ");
      await delay(300);
      return { response_text: "one two" };
    }
    return { response_text: `${text} ended` };
  },
};

/** What an official A2A client prints that calls every operation of the agents of `startCalledZone`. */
export const calledAnswers = {
  asked: "input-required",
  answered: "go because it rains",
  got: "completed",
  streamed: "one two",
  subscribed: "working canceled",
  canceled: "canceled",
  card: "Echoes",
  push: [-32_003],
  held: "hold ended",
};

/** Starts a zone and returns the URL below which its agents are. */
export async function startCalledZone(): Promise<string> {
  const zone = await startAskedZone({ agents: [echo, askingAgent], limits: { taskDeadlineMs: 60_000 } });
  return zone.urlOf("x").slice(0, -"x/".length);
}

import { ZoneError } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { createScriptedZone, failing } from "../../testing/scripted-zone.ts";
import { errorSentence } from "./error-sentences.ts";
import { withNearNames } from "./no-such-agent.ts";

const unknown = new ZoneError("unknown_agent");
const call = { session: "s", correlationId: "c" };
const listing = { description: "", default: false, skills: [] };

/** Returns the sentence for a person who named this agent. */
async function saidTo(agent: string, { zone }: ReturnType<typeof createScriptedZone>): Promise<string> {
  return errorSentence(await withNearNames(unknown, { agent, zone, call }), "ref");
}

test("a person who names an unknown agent sees similar names and how to write them", async () => {
  const zone = createScriptedZone();
  zone.on("list_agents", () => ({
    agents: [
      { name: "publish-text", kind: "workflow", ...listing },
      { name: "publish text", ...listing },
    ],
  }));
  expect(await saidTo("publish-txt", zone)).toContain(
    'I don\'t know “publish-txt”. Did you mean `run publish-text: …` or `ask "publish text": …`?',
  );
  expect(await saidTo("zebra", zone)).not.toContain("Did you mean");
});

test("without a list of agents, the sentence still says that the agent does not exist", async () => {
  const zone = createScriptedZone();
  zone.on("list_agents", failing("shutting_down"));
  expect(await saidTo("zebra", zone)).toMatch(/^I don't know “zebra”; it may be off\. Write `agents`/);
});

test("any other error is unchanged", async () => {
  const other = new ZoneError("timeout", { agent: "x" });
  expect(await withNearNames(other, { agent: "x", zone: createScriptedZone().zone, call })).toBe(other);
});

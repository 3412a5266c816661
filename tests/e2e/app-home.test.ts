// suite: both
import type { Agent } from "@crosszone/execution";
import { TaskPaused } from "@crosszone/execution";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { databaseEnv } from "@crosszone/testkit/process";
import { expect, test, vi } from "vitest";
import { agentThat } from "../harness/start-called-zone.ts";
import { type Crosszone, startCrosszone } from "../harness/start-crosszone.ts";

const [alice, chiyo] = ["U0ALICE0001", "U0CHIYO0001"];
const decide = { people: [alice], groups: [], requester: false, approve: 1, deny: 1 };
const action = { agent: "builtin", tool: "deploy", arguments: { to: "production" } };
const asked = { key: "1", kind: "approve", title: "Deploy version 1.2?", action, decide } as const;

interface Element {
  readonly action_id: string;
  readonly text: { readonly text: string };
}
interface HomeBlock {
  readonly text?: { readonly text: string };
  readonly accessory?: Element;
  readonly elements?: readonly Partial<Element>[];
}

const homeOf = ({ slack: { control } }: Crosszone, user: string) => {
  const view = control.home(user);
  const blocks = (view?.definition.blocks ?? []) as readonly HomeBlock[];
  return { view, blocks, words: blocks.map(({ text }) => text?.text ?? "").join("\n") };
};

/** Opens the Home tab as a person until it shows a text, at most once a second. Resolves with all that it shows. */
async function homeShows(zones: Crosszone, user: string, text: string | RegExp): Promise<string> {
  const words = (): string => homeOf(zones, user).words;
  await vi.waitFor(async () => {
    zones.slack.control.openHome({ user });
    await expect.poll(words, { timeout: 1_100 }).toMatch(text);
  });
  return words();
}

onBothEngines("App Home", (newDatabase) => {
  const start = async (agents: readonly Agent[]) => {
    const verificationEnv = databaseEnv(await newDatabase());
    return startCrosszone({ agents, database: await newDatabase(), verificationEnv });
  };

  test("W15: a decision is found from Home by who decides and by who asked, until it is made", async () => {
    const agent = agentThat("builtin", async (_input, { inputs }) => {
      if (inputs?.decided.get("1") === undefined) throw new TaskPaused([asked], { continuation: null });
      return { response_text: "Deployed." };
    });
    const zones = await start([agent]);
    const { control } = zones.slack;
    const { ts } = control.postMessage({ user: "chiyo", channel: "general", text: "@Crosszone deploy" });
    const card = await control.waitForMessage((message) => JSON.stringify(message).includes("Waiting for"));
    const linkTo = (place: string): string => `/archives/C0GENERAL01/p${place.replace(".", "")}`;

    const deciding = await homeShows(zones, alice, /\*Deploy version 1\.2\?\*\nbuiltin, until <!date/);
    expect(deciding).toContain(linkTo(card.ts));
    expect(deciding).toContain("None.");
    const waiting = await homeShows(zones, chiyo, /⏳ Waiting for <@U0ALICE0001>, until <!date/);
    expect(waiting).toContain(linkTo(ts));
    expect(waiting).toContain("Nothing is waiting for you.");
    expect(await homeShows(zones, "bob", "None.")).toContain("Nothing is waiting for you.");

    const [, approve = ""] = /"action_id":"(input:approve:[^"]+)"/.exec(JSON.stringify(card.blocks)) ?? [];
    await control.act({ user: "alice", channel: card.channel, ts: card.ts, action_id: approve });
    await control.waitForMessage((message) => message.text.includes("Deployed."));
    await homeShows(zones, alice, "Nothing is waiting for you.");
    const answered = await homeShows(zones, chiyo, /\*builtin\*, asked .*\nAnswered/);
    expect(answered).toContain(linkTo(ts));
    expect(control.warnings()).toEqual([]);
  });

  test("W15: a pressed example of an agent with a hostile name asks it; then execution goes away, and Home stays", async () => {
    const hostile = "<!channel> *x* <https://evil.example|y>";
    const skills = [{ id: "s", name: hostile, description: hostile, examples: [`Say hi to ${hostile}`] }];
    const run: Agent["run"] = async ({ text }) => ({ response_text: `Heard: ${text}` });
    const others = Array.from({ length: 200 }, (_, n) => ({
      name: `${n} ${hostile}`,
      description: hostile.repeat(50),
      skills,
      run,
    }));
    const zones = await start([{ name: hostile, description: hostile, skills, run }, ...others]);
    const { control } = zones.slack;
    const words = await homeShows(zones, alice, "(answers if you name no agent)");
    expect(words).toContain("*&lt;!channel&gt; *x* &lt;https://evil.example|y&gt;* (answers if you name no agent)");
    expect(words).not.toMatch(/<(?!!date\^)/);

    const { view, blocks } = homeOf(zones, alice);
    const pressable = blocks.flatMap(({ elements = [] }) => elements.map(({ text }) => text?.text));
    expect(pressable).toContainEqual(expect.stringMatching(/^Show \d{3} more$/));
    const example = blocks.find(({ accessory }) => accessory !== undefined)?.accessory as Element;
    await control.act({ user: "alice", view_id: view?.id ?? "", action_id: example.action_id });
    const anchor = await control.waitForMessage((message) => message.text.startsWith(`<@${alice}> asked:`));
    expect(anchor).toMatchObject({ channel: "D0ALICE0001" });
    await vi.waitFor(() =>
      expect(homeOf(zones, alice).words).toMatch(/^Asked .*\. The answer comes in the tab \*Messages\*\./),
    );
    const answer = await control.waitForMessage((message) => message.text.includes("Heard:"));
    expect(answer).toMatchObject({ channel: "D0ALICE0001", thread_ts: anchor.ts });
    expect(control.messages({ channel: "D0ALICE0001" }).some(({ text }) => /<!channel>/.test(text))).toBe(false);

    await zones.execution.stop();
    const away = await homeShows(zones, alice, "I can't show this right now");
    expect(away.match(/I can't show this right now/g)).toHaveLength(5);
    expect(away).toContain("`/usage`");
  });
});

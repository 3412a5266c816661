import { type BrokenAgent, startBrokenAgents } from "./start-broken-agents.ts";
import { startCrosszone } from "./start-crosszone.ts";
import { writeAgentsFile } from "./temp-file.ts";

/**
 * Asks each agent in a direct message. Returns its requests by name, and a function that returns what a person reads of each so far: all words of its
 * messages, and the files as `name: content`.
 */
export async function askBrokenAgents(agents: Readonly<Record<string, BrokenAgent>>) {
  const { settings, calls } = await startBrokenAgents(agents);
  const AGENTS_FILE = writeAgentsFile(settings);
  // The burst of questions is more than Slack takes: without these limits each one waits for its turn.
  const many = { burst: 1_000, per_minute: 100_000 };
  const zones = await startCrosszone({
    env: { AGENTS_FILE, AGENT_ORIGINS: "http://127.0.0.1:*", MESSAGES_PER_MINUTE: "1000" },
    slack: { rateLimits: { post_message: many, tier_3: many, tier_4: many } },
  });
  const asked = Object.keys(agents).map((name) => [name, zones.write({ text: `ask ${name}: Hello` })] as const);
  await Promise.all(asked.map(([, root]) => zones.answerTo(root, 60_000)));
  const contentOf = (id: string) => zones.slack.control.file(id).bytes.toString();
  const read = () =>
    Object.fromEntries(
      asked.map(([name, root]) => {
        const replies = zones.replies(root);
        const files = replies
          .flatMap((reply) => reply.files ?? [])
          .map(({ name: called, id }) => `${called}: ${contentOf(id)}`);
        const words = replies
          .filter((reply) => reply.files === undefined)
          .map((reply) => reply.text.replace(`**${name}**\n\n`, "").replace(/Reference: [^_]*/, "Reference: …"));
        // The message about a pause and the one that asks have no order.
        const isPause = (said: string): boolean => said.startsWith("_I need a decision");
        const ordered = [...words.filter(isPause), ...words.filter((said) => !isPause(said))];
        return [name, { words: ordered.join("\n\n"), files }];
      }),
    );
  return { calls, read };
}

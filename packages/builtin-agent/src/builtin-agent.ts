import { type AgentSkill, type Attachment, threadFileIds } from "@crosszone/contracts";
import { systemClock } from "@crosszone/service-kit/timing";
import { arithmetic } from "./arithmetic.ts";
import { type BuiltinSkill, code, readText, type RunContext, type TaskInput } from "./skill.ts";

/** The built-in agent's introduction, in its help and in every answer to something it can't do. */
export const INTRODUCTION = "I'm the **built-in agent**: small programs, without a language model.";

/** Why this agent answers. How to connect a model is for operators: the log, the doctor and docs/models.md say it. */
const NO_MODEL = "No language model is connected. The people who run this service can connect one.";

/** How to reach an agent that can do more. */
export const OTHER_AGENTS = "Write `/agents` to see the agents that you can ask.";

const echo: BuiltinSkill = {
  id: "echo",
  name: "Echo",
  description: "Repeats what you write.",
  examples: ["echo hello"],
  answer: (phrase) => {
    const said = /^echo (.+)$/i.exec(phrase)?.[1];
    return said === undefined ? undefined : code(said, 500);
  },
};

const [usualSeconds, mostSeconds] = [8, 120];

/** Works for a while on purpose, to show how a long task is accepted, awaited and stopped. */
const slow: BuiltinSkill = {
  id: "slow",
  name: "Slow answer",
  description: `A demonstration: answers after some seconds (${usualSeconds}, or as many as you say, at most ${mostSeconds}).`,
  examples: ["slow", "slow 20", "slow 5 and then say this"],
  answer: async (phrase, _input, { signal, now }) => {
    const [asked, seconds = usualSeconds, said] = /^slow(?: (\d+(?:\.\d+)?))?(?: (.+))?$/i.exec(phrase) ?? [];
    if (asked === undefined) return undefined;
    if (Number(seconds) > mostSeconds) return `I can be slow for at most ${mostSeconds} seconds.`;
    const start = now().getTime();
    await systemClock.sleep(Number(seconds) * 1000, signal);
    const took = ((now().getTime() - start) / 1000).toFixed(1);
    const done = `Done: I worked on this for **${took} seconds**. You asked for ${Number(seconds)}.`;
    return said === undefined ? done : `${done}\n\nYou said: ${code(said, 500)}`;
  },
};

const counted = (count: number, one: string): string => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;

async function describe(file: Attachment, context: RunContext): Promise<string> {
  const about = await readText(file, context).then(
    (text) =>
      `${counted(text.trimEnd().split("\n").length, "line")}, ${counted(text.match(/\S+/g)?.length ?? 0, "word")}`,
    (error: Error) => `I did not read it. ${error.message}`,
  );
  context.signal.throwIfAborted();
  return `- ${code(file.name ?? "unnamed", 60)}: ${about}`;
}

/** Describes the files that came with a message, whatever else it says; those of its thread if it has none and asks about files. */
const files: BuiltinSkill = {
  id: "files",
  name: "Files",
  description: "Lists the files of your message, or else of its thread: how long they are, or why one was not read.",
  examples: ["what did I attach", "files"],
  answer: async (phrase, { thread, attachments }, context) => {
    const earlier = threadFileIds(thread);
    const own = attachments.filter(({ id }) => !earlier.has(id));
    const isAsked = /^(?:files|what did I attach)\b/i.test(phrase);
    if (own.length === 0 && !isAsked) return undefined;
    const all = own.length === 0 ? attachments : own;
    if (all.length === 0) return "No file arrived with your message.";
    const lines = [`**${counted(all.length, "file")} arrived.**`];
    for (const file of all) lines.push(await describe(file, context));
    return lines.join("\n");
  },
};

/** Explains the skills. */
const createHelp = (overview: string): BuiltinSkill => ({
  id: "help",
  name: "Help",
  description: "Lists what I can do, with examples.",
  examples: ["help", "hello"],
  answer: (phrase) => {
    if (/^(?:hello|hi|hey)\b[ !.]*$/i.test(phrase)) return `Hello! ${overview}`;
    return /^(?:help|what can you do|who are you)?[ ?!.]*$/i.test(phrase) ? overview : undefined;
  },
});

/** Tried in this order, and the help after them. The first answer counts. */
const skills: readonly BuiltinSkill[] = [arithmetic, echo, slow, files];

/** What to ask next, after the help. */
const ideas = [arithmetic, slow].flatMap(({ examples }) => examples.slice(0, 1));

/** The longest message that is read, in characters. Keeps every skill cheap. */
const longest = 1_000;

/**
 * Creates the agent that works without network or model, in the zone's own thread: what a skill computes is bounded. It is a set of skills,
 * each matched by the form of the message. It never pretends to be a language model. Its answers have an extra member `skill`, the id of the
 * skill that answered; absent when no skill matched. Without `hasModel`, it says that no language model is connected. It satisfies the zone's own
 * port to an agent.
 */
export function createBuiltinAgent({ hasModel = false }: { readonly hasModel?: boolean } = {}) {
  const note = hasModel ? "" : NO_MODEL;
  const list = skills.map(({ name, examples }) => `- **${name}**: ${examples.map((one) => code(one)).join(", ")}`);
  const overview = [INTRODUCTION, note, `Write for example:\n${list.join("\n")}`, OTHER_AGENTS]
    .filter(Boolean)
    .join("\n\n");
  const all = [...skills, createHelp(overview)];
  return {
    name: "builtin",
    description: `Calculates offline. ${note}`.trim(),
    skills: all.map(({ id, name, description, examples }): AgentSkill => ({ id, name, description, examples })),
    /** Answers one task. Mistakes of the requester are explained in the answer. Rejects with the signal's reason after it aborts. */
    run: async (input: TaskInput, context: RunContext) => {
      context.signal.throwIfAborted();
      const text = input.text.trim();
      if (text.length > longest)
        return { response_text: `That is too long: I read up to ${longest} characters. ${overview}` };
      const phrase = text.replaceAll(/\s+/g, " ");
      for (const skill of all) {
        const answer = await skill.answer(phrase, input, context);
        context.signal.throwIfAborted();
        if (answer === undefined) continue;
        const follow_ups = skill.id === "help" ? ideas : undefined;
        return { response_text: answer.toWellFormed(), skill: skill.id, follow_ups };
      }
      return { response_text: `I can't answer that. ${overview}` };
    },
  };
}

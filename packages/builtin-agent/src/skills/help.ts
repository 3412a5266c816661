import { code } from "../message/markdown.ts";
import type { BuiltinSkill } from "../message/skill.ts";

/** The built-in agent's introduction, in its help and in every answer to something it can't do. */
export const INTRODUCTION = "I'm the **built-in agent**: small programs, without a language model.";

export const CONNECT_MODEL =
  "No language model is connected: set `ANTHROPIC_API_KEY`, `OPENAI_API_KEY` or `OPENAI_BASE_URL`.";

/** How to reach an agent that can do more. */
export const OTHER_AGENTS =
  "`/agents` lists the agents you can ask. To connect your own, see “Connect an agent” in `docs/agents.md`.";

const GREETING =
  /^(?:hi|hello|hey|yo|hiya|howdy|good (?:morning|afternoon|evening|day)|こんにちは|おはよう|こんばんは)(?: there| all| everyone| bot)?[!.\s]*$/iu;
const THANKS =
  /^(?:(?:many )?thanks?|thank you|thx|cheers|ありがとう(?:ございます)?)(?: (?:so|very) much| a lot| again)?[!.。\s]*$/iu;
const ABOUT =
  /^(?:help(?: me)?|\?|menu|commands|skills|what can (?:you|i) do.*|what (?:do you do|are you)|who are you|how do(?:es)? (?:this|it|you) work|are you (?:an? )?(?:ai|bot|human|robot|language model|llm|chat ?gpt|claude).*|ヘルプ)!*$/iu;

/** Greets and explains the other skills. `connect` says how to connect a language model, when none is connected. */
export function createHelp(others: readonly BuiltinSkill[], connect = ""): BuiltinSkill {
  return {
    id: "help",
    name: "Help",
    description: "Lists what I can do, with examples.",
    examples: ["help", "help arithmetic", "hello"],
    match: ({ phrase, input }) => {
      const greeting = input.text.trim().slice(0, 100);
      if ((phrase === "" && input.attachments.length === 0) || ABOUT.test(phrase))
        return () => overview(others, connect);
      if (GREETING.test(greeting)) return () => `Hello! ${overview(others, connect)}`;
      if (THANKS.test(greeting)) return () => "You are welcome. Write `help` to see what I can do.";
      const [, topic] = /^help(?: me)?(?: with| on| about)? (.{1,60})$/i.exec(phrase) ?? [];
      if (topic === undefined) return undefined;
      const skill = others.find(({ id, name }) => `${id} ${name}`.toLowerCase().includes(topic.toLowerCase()));
      return () => (skill === undefined ? overview(others, connect) : details(skill));
    },
  };
}

/** An example message on one line. */
function showExample(example: string): string {
  return code(example.replaceAll("\n", " ⏎ "), 120);
}

/** One line per skill: name and an example. */
function skillList(skills: readonly BuiltinSkill[]): string {
  return skills.map(({ name, examples }) => `- **${name}**: ${showExample(examples[0] ?? "")}`).join("\n");
}

function overview(skills: readonly BuiltinSkill[], connect: string): string {
  return `${[INTRODUCTION, connect].filter(Boolean).join("\n\n")}\n\nWrite for example:\n${skillList(skills)}\n\nFor more examples, write ${code("help arithmetic")} or another name from the list. ${OTHER_AGENTS}`;
}

function details({ name, description, examples }: BuiltinSkill): string {
  return `${INTRODUCTION}\n\n**${name}**: ${description}\n${examples.map((example) => `- ${showExample(example)}`).join("\n")}`;
}

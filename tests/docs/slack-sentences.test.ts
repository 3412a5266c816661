import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const variable = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/;

/** Sources whose sentences can reach people in Slack. */
const sources = globSync(
  [
    "apps/verification/src/{edge,asking,cards,showing,inbox,policy,slack,workspaces}/**/*.ts",
    "apps/execution/src/{doors/rpc,tasks,agents,people,usage}/**/*.ts",
    "packages/{agent-bridge,agent-calls,assistant,builtin-agent,workflow}/src/**/*.ts",
  ],
  { cwd: root, exclude: ["**/*.test.ts", "**/testing/**", "**/generated/**", "**/*-variables.ts"] },
);

/** Sentences for operators in these sources, which they read in the log, the doctor or a page. */
const forOperators: Readonly<Record<string, string>> = {
  "apps/execution/src/agents/assistant/assistant-settings.ts": "a mistake in a file",
  "apps/verification/src/policy/denials.ts": "the symptom, for the page; policy.test.ts has its sentences",
  "apps/verification/src/workspaces/workspaces.ts": "a warning of the log",
  "packages/agent-bridge/src/client/address-rules.ts": "a mistake in a registration",
  "packages/agent-bridge/src/client/agent-card.ts": "a mistake in a registration",
  "packages/agent-bridge/src/client/secret-source.ts":
    "a mistake in a registration, and the detail for an agent's owner",
  "packages/assistant/src/models/model-choice.ts": "a mistake in a variable",
};

/** Returns the strings of a source that are sentences and name a variable. */
function namingIn(source: string): string[] {
  // Quotes of comments and regular expressions begin no string.
  const code = source.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$|^const \w+ = \/.*$/gm, "");
  const literals = code.match(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [];
  const texts = literals.map((literal) => literal.replaceAll(/\$\{[^{}]*\}/g, "…"));
  return texts.filter((text) => /\S \S/.test(text) && variable.test(text));
}

test("Q16: no sentence that people in Slack can read names a variable", () => {
  const naming = sources.flatMap((path) => {
    const found = namingIn(readFileSync(resolve(root, path), "utf8"));
    return found.length === 0 ? [] : [[path, found] as const];
  });
  expect(sources.length).toBeGreaterThan(180);
  expect(Object.fromEntries(naming.filter(([path]) => forOperators[path] === undefined))).toEqual({});
  // An exception that is not needed any more would hide the next sentence.
  expect(naming.map(([path]) => path).toSorted()).toEqual(Object.keys(forOperators).toSorted());
  expect(namingIn('say("set `OPENAI_API_KEY`, please"); // and `A_B` or\nsay(`up to ${MAX_FILE} MB`)')).toHaveLength(1);
});

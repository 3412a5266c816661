import { isDeepStrictEqual } from "node:util";
import { runInNewContext } from "node:vm";
import { Ajv2020 } from "ajv/dist/2020.js";
import { diffLines, readable } from "../diff-lines.ts";
import type { AgentAnswer } from "../talk/agent-answer.ts";
import { asJson } from "../wire/wire-exchange.ts";
import type { Judgement } from "./cassette.ts";
import type { Judge } from "./rubric.ts";

/** `skipped`: no model is configured for a rubric. `lines` explain what differs. */
export interface Verdict {
  readonly outcome: "held" | "failed" | "skipped";
  readonly lines: readonly string[];
}

const held: Verdict = { outcome: "held", lines: [] };
const failed = (...lines: readonly string[]): Verdict => ({ outcome: "failed", lines });

/** Timeout of a regular expression, milliseconds. */
const matchMs = 500;

/** Judges an answer. `rubric` asks a language model; undefined when none is configured. */
export async function judge(answer: AgentAnswer, judgement: Judgement, rubric: Judge | undefined): Promise<Verdict> {
  if ("rubric" in judgement) {
    if (rubric === undefined) return { outcome: "skipped", lines: [`rubric not judged: ${judgement.rubric}`] };
    const { holds, reason } = await rubric(judgement.rubric, answer.text);
    return holds ? held : failed(`rubric does not hold: ${judgement.rubric}`, `  ${reason}`);
  }
  if ("exact" in judgement) return judgeExact(answer, judgement.exact);
  if ("contains" in judgement) {
    const missing = judgement.contains.filter((text) => !answer.text.includes(text));
    return missing.length === 0 ? held : failed(...missing.map((text) => `does not contain: ${text}`), shown(answer));
  }
  if ("matches" in judgement) return judgeMatch(answer, judgement.matches);
  if ("schema" in judgement) return judgeSchema(answer, judgement.schema);
  return answer.state === judgement.state
    ? held
    : failed(`state is ${answer.state}, expected ${judgement.state}`, shown(answer));
}

const shown = ({ text }: AgentAnswer): string => `  answer: ${text}`;

function judgeExact(answer: AgentAnswer, expected: unknown): Verdict {
  if (typeof expected === "string")
    return answer.text === expected ? held : failed("text differs:", ...diffLines(expected, answer.text));
  const isSame = isDeepStrictEqual(answer.data, Array.isArray(expected) ? expected : [expected]);
  return isSame ? held : failed("data differs:", ...diffLines(readable(expected), readable(answer.data)));
}

function judgeMatch(answer: AgentAnswer, pattern: string): Verdict {
  try {
    const matches: unknown = runInNewContext(
      "new RegExp(pattern, 'u').test(text)",
      { pattern, text: answer.text },
      { timeout: matchMs },
    );
    return matches === true ? held : failed(`does not match: ${pattern}`, shown(answer));
  } catch {
    return failed(`the expression takes longer than ${matchMs} ms: ${pattern}. Write a simpler one.`);
  }
}

/** Holds when one of the data parts is valid; an answer without data is read as JSON. */
function judgeSchema({ data, text }: AgentAnswer, schema: Readonly<Record<string, unknown>>): Verdict {
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(schema);
  const values = data.length > 0 ? data : [asJson(text)];
  if (values.some((value) => validate(value))) return held;
  const problems = (validate.errors ?? []).map(({ instancePath, message }) => `  ${instancePath || "/"} ${message}`);
  return failed("does not fit the schema:", ...problems, `  answer: ${JSON.stringify(values.at(-1))}`);
}

import { type ParamProblem, problemsOf } from "@crosszone/contracts";
import { pointerStep } from "@crosszone/contracts/json";
import type { SchemaValidator } from "@crosszone/contracts/validator";
import { nearName } from "../values/text.ts";
import { type FileProblem, FileProblemsError } from "./read-yaml-file.ts";
import type { SectionContent } from "./settings-file.ts";

/** What the check of a section can say about it. */
export interface SectionJudge {
  /** The section can't be used. Pointers lead into the section. */
  readonly refuse: (...problems: readonly ParamProblem[]) => void;
  /** A member is left out, and the others apply. Returns the problems with their places. */
  readonly leaveOut: (...problems: readonly ParamProblem[]) => readonly FileProblem[];
  /** Returns the position of a pointer. */
  readonly placeOf: (pointer: string) => FileProblem;
}

/** A version of a section that can be used. */
export interface JudgedSection<Value> {
  readonly value: Value;
  /** With every default; undefined for an absent section that decides nothing. */
  readonly content: unknown;
  readonly paths: readonly string[];
  /** The mistakes of members that are left out. */
  readonly leftOut: readonly FileProblem[];
}

/** How a section is read. Rejects with a `FileProblemsError` when it can't be used. */
export interface SettingsRow<Value> {
  readonly judge: (content: SectionContent) => Promise<JudgedSection<Value>>;
}

/** Rows by the names of their sections, whatever they decide. */
export type AnyRows = Readonly<Record<string, SettingsRow<unknown>>>;

/** The rows of the sections, by their names. */
export type SettingsRows<Values> = { readonly [Name in keyof Values]: SettingsRow<Values[Name]> };

/** What an absent section says. */
export const absent: SectionContent = {
  value: undefined,
  paths: [],
  unread: [],
  problemAt: ({ pointer, message }) => ({ path: "", line: 1, column: 1, pointer, message }),
};

/** Creates the row of a section from its schema, and from what its schema can't say: `check` returns what the section decides. */
export function settingsRow<Content, Value>(row: {
  readonly schema: SchemaValidator<Content>;
  /** What an absent section says; without it, `check` gets undefined. */
  readonly absent?: unknown;
  /** The check judges each member, and leaves out those that the schema refuses. */
  readonly judgesMembers?: true;
  readonly check: (content: Content, judge: SectionJudge) => Value | Promise<Value>;
}): SettingsRow<Value> {
  const { schema, check } = row;
  return {
    judge: async ({ value = row.absent, paths, unread, problemAt }) => {
      const [problems, leftOut]: [FileProblem[], FileProblem[]] = [[...unread], []];
      const wrong = value === undefined ? [] : problemsOfSchema(schema, value);
      problems.push(...wrong.filter(({ pointer }) => pointer === "" || !row.judgesMembers).map(problemAt));
      if (problems.length > unread.length || (unread.length > 0 && paths.length === 0))
        throw new FileProblemsError(problems);
      const content = (value === undefined ? undefined : schema.filled(value)) as Content;
      const decided = await check(content, {
        refuse: (...found) => void problems.push(...found.map(problemAt)),
        leaveOut: (...found) => {
          const placed = found.map(problemAt);
          leftOut.push(...placed);
          return placed;
        },
        placeOf: (pointer) => problemAt({ pointer, message: "" }),
      });
      if (problems.length > 0) throw new FileProblemsError(problems);
      return { value: decided, content, paths, leftOut };
    },
  };
}

/** Returns the problems of a value. The problem of an unknown member names the member that was probably meant, or all that there are. */
export function problemsOfSchema(schema: SchemaValidator<unknown>, value: unknown): ParamProblem[] {
  return problemsOf(schema, value).flatMap(({ pointer, message }, at) => {
    const { keyword, known = [], name: member } = schema.errors?.[at] ?? {};
    // What is wrong with the name is a problem before it.
    if (keyword === "propertyNames") return [];
    if (member !== undefined) return { pointer: pointer + pointerStep(member), message };
    const name = pointer.slice(pointer.lastIndexOf("/") + 1);
    const near = nearName(name, known) ?? [...known].find((one) => one.startsWith(`${name}_`));
    if (near !== undefined) return { pointer, message: `${message}. Did you mean ${near}?` };
    const members = [...known].join(", ");
    return { pointer, message: members === "" ? message : `${message}. The members are ${members}` };
  });
}

/** Whether a rule is broken, the member, and what is wrong with it. */
type MemberRule = readonly [isBroken: boolean, pointer: string, message?: string];

/** Returns the problems of the broken rules, in their order. */
export const brokenMembers = (rules: readonly MemberRule[]): ParamProblem[] =>
  rules.flatMap(([isBroken, pointer, message = ""]) => (isBroken ? [{ pointer, message }] : []));

/** Returns the version before if the next one says the same, so that one whose event is stored stays that one. */
export const sameOr = (
  next: JudgedSection<unknown>,
  before: JudgedSection<unknown> | undefined,
): JudgedSection<unknown> => (before !== undefined && isSame(next, before) ? before : next);

/** Whether two versions say and leave out the same. */
export const isSame = (a: JudgedSection<unknown>, b: JudgedSection<unknown> | undefined): boolean =>
  b !== undefined && fingerprint(a) === fingerprint(b);
const fingerprint = ({ content, leftOut, value }: JudgedSection<unknown>): string =>
  JSON.stringify([content, leftOut, value]);

import { type ParamProblem, problemsOf } from "@crosszone/contracts";
import { pointerStep } from "@crosszone/contracts/json";
import type { SchemaValidator } from "@crosszone/contracts/validator";
import { errorText, nearName } from "../values/text.ts";
import { stateOfFiles } from "./live-files.ts";
import { type FileProblem, FileProblemsError } from "./read-yaml-file.ts";
import {
  expanded,
  readSettingsFiles,
  type SectionContent,
  type SectionNames,
  type SettingsFile,
} from "./settings-file.ts";

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

const absent: SectionContent = {
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

/** Where the settings are. Without a file, every section is absent. */
interface SettingsSource extends SectionNames {
  readonly paths: readonly string[];
}

/** Returns every mistake in a file of settings and in the files that it names, also of members that are left out. */
export async function checkSettings(source: SettingsSource, rows: AnyRows): Promise<readonly FileProblem[]> {
  const { file } = await readStable(source);
  const judged = [...(await judgeAll(file, rows)).values()];
  return [...file.unread, ...judged.flatMap((one) => (one instanceof Error ? mistakesIn([one]) : one.leftOut))];
}

/** Returns what a section decides now. Rejects with a `FileProblemsError` when it can't be used. */
export async function readSection<Value>(
  source: SettingsSource,
  name: string,
  { judge }: SettingsRow<Value>,
): Promise<JudgedSection<Value>> {
  const { file } = await readStable(source);
  const section = file.unread.length > 0 ? new FileProblemsError(file.unread) : (file.sections.get(name) ?? absent);
  if (section instanceof Error) throw section;
  return judge(section);
}

/** Judges the sections of the rows, and refuses those that the file can't have. */
async function judgeAll(file: SettingsFile, rows: AnyRows) {
  const judged = new Map<string, JudgedSection<unknown> | Error>();
  for (const [name, section] of file.sections) if (section instanceof Error) judged.set(name, section);
  for (const [name, { judge }] of Object.entries(rows)) {
    const section = file.sections.get(name) ?? absent;
    if (!(section instanceof Error)) judged.set(name, await judge(section).catch((error: Error) => error));
  }
  return judged;
}

/** Returns the mistakes of sections. Throws what is no mistake in a file. */
const mistakesIn = (errors: readonly Error[]): FileProblem[] =>
  errors.flatMap((error) => {
    if (error instanceof FileProblemsError) return error.problems;
    throw error;
  });

/** Reads the settings and the state of their files before the read, so that a write during the read is noticed at the next look. */
async function readStable({ paths, ...names }: SettingsSource): Promise<{ file: SettingsFile; state: string }> {
  let sources = paths;
  for (;;) {
    const state = stateOf(sources);
    const file = await readSettingsFiles(paths, names);
    if (file.sources.join("\0") === sources.join("\0")) return { file, state };
    ({ sources } = file);
  }
}

const unreadFiles = ({ unread }: SettingsFile): [name: string, why: Error][] =>
  unread.length > 0 ? [["all", new FileProblemsError(unread)]] : [];

const stateOf = (sources: readonly string[]): string => {
  const paths = sources.flatMap(expanded);
  return [...paths, stateOfFiles(paths)].join("\0");
};

/** What happens around a section. */
interface SettingsEvents {
  /** Stores the audit event of a version. The version binds once this has resolved. */
  readonly store: (section: string, content: unknown, paths: readonly string[]) => Promise<unknown>;
  /** Receives what applying a version said, once it is in force. */
  readonly onApplied: (section: string, paths: readonly string[], says: unknown) => void;
  /** Receives the first failure of each edit. `section`: `all` when the file itself can't be read. */
  readonly onFailure: (section: string, because: string) => void;
}

/** A section that is followed. */
interface Followed {
  readonly name: string;
  readonly apply: (value: never) => unknown;
  /** Whether an edit applies after a restart. */
  readonly isFixed: () => boolean;
  inForce?: JudgedSection<unknown>;
  /** A version whose audit event is stored. */
  stored?: JudgedSection<unknown>;
}

/** How often the files are checked, milliseconds. Polling detects swapped links and editors that replace a file. */
const everyMs = 250;

/** The settings of a zone, from its start to `close`. */
export type Settings<Values extends object> = Awaited<ReturnType<typeof followSettings<Values>>>;

/**
 * Opens the settings of a zone: the sections of `rows`, those that this process uses. Each applies by itself, at the start and after each edit: its audit
 * event is stored, then it binds. A section that can't be used leaves its version in force. Rejects with a `FileProblemsError` that has every mistake at
 * the start.
 */
export async function followSettings<Values extends object>(
  source: SettingsSource,
  rows: Partial<SettingsRows<Values>>,
  { store, onApplied, onFailure }: SettingsEvents,
) {
  const followed: Followed[] = [];
  /** The last version of each section that can be used. */
  const usable = new Map<string, JudgedSection<unknown>>();
  /** Why the last edit of a section is not in force. */
  const refused = new Map<string, string>();
  let found: Awaited<ReturnType<typeof readStable>>;

  /** Reads and judges the sections. Returns those that can't be used; `all`: a file can't be read. */
  const read = async (): Promise<ReadonlyMap<string, Error>> => {
    found = await readStable(source);
    const wrong = new Map(unreadFiles(found.file));
    for (const [name, one] of await judgeAll(found.file, rows as AnyRows))
      if (one instanceof Error) wrong.set(name, one);
      else if (!wrong.has("all")) usable.set(name, one);
    return wrong;
  };
  const refuse = (name: string, because: string): void => {
    if (refused.get(name) !== because) onFailure(name, because);
    refused.set(name, because);
  };
  const bind = async (section: Followed, version: JudgedSection<unknown>): Promise<void> => {
    const { name, inForce, apply, stored } = section;
    const { content, paths, value } = version;
    // An absent section that decides nothing needs no event, unless it was there.
    const isEvent = inForce !== undefined || paths.length > 0 || Object.keys(content ?? {}).length > 0;
    if (isEvent && stored !== version)
      await store(name, content ?? null, paths).catch((cause: unknown) => {
        throw new Error(`it can't be stored: ${errorText(cause)}`, { cause });
      });
    section.stored = version;
    const says: unknown = await (apply as (given: unknown) => unknown)(value);
    section.inForce = version;
    if (isEvent) onApplied(name, paths, says);
  };
  /** Applies the last usable version of a section, unless it is in force. One that could not be stored or applied is tried again. */
  const apply = async (section: Followed): Promise<void> => {
    const { name, inForce, isFixed } = section;
    const version = usable.get(name);
    if (version === undefined || isSame(version, inForce)) return;
    if (isFixed()) return refuse(name, "the edit applies after a restart of the zone");
    try {
      await bind(section, version);
      refused.delete(name);
    } catch (error) {
      refuse(name, errorText(error));
    }
  };
  const look = async (): Promise<void> => {
    const state = stateOf(found.file.sources);
    if (state !== found.state) {
      found = { ...found, state };
      const wrong = await read().catch((error: Error) => new Map([["all", error]]));
      for (const name of refused.keys()) if (!wrong.has(name)) refused.delete(name);
      for (const [name, error] of wrong) refuse(name, errorText(error));
    }
    for (const section of followed) await apply(section);
  };
  const atStart = mistakesIn([...(await read()).values()]);
  if (atStart.length > 0) throw new FileProblemsError(atStart);
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => void (looking ??= look().finally(() => (looking = undefined))), everyMs).unref();
  if (source.paths.length === 0) clearInterval(timer);
  return {
    /**
     * Applies a section now and after each edit. `apply` makes a version bind and returns what to log of it; after a failure it is called again.
     * While `isFixed`, an edit applies after a restart. Returns what is in force: the same object until an edit.
     */
    follow: async <Name extends keyof Values & string>(
      name: Name,
      applied: (value: Values[Name]) => unknown = () => undefined,
      isFixed = (): boolean => false,
    ): Promise<() => Values[Name]> => {
      const section: Followed = { name, apply: applied, isFixed };
      await bind(section, usable.get(name) as JudgedSection<unknown>);
      followed.push(section);
      return () => section.inForce?.value as Values[Name];
    },
    /** Returns the sections that the files have, whether this process uses them or not. */
    names: (): readonly string[] => [...found.file.sections.keys()],
    /** Returns the sections whose last edit is not in force, and `all` while a file can't be read. */
    notInForce: (): readonly string[] => [...refused.keys()],
    /** Stops following the files, after an edit that is being applied. */
    close: async (): Promise<void> => {
      clearInterval(timer);
      await looking;
    },
  };
}

/** Whether two versions say and leave out the same. */
const isSame = (a: JudgedSection<unknown>, b: JudgedSection<unknown> | undefined): boolean =>
  b !== undefined && fingerprint(a) === fingerprint(b);
const fingerprint = ({ content, leftOut, value }: JudgedSection<unknown>): string =>
  JSON.stringify([content, leftOut, value]);

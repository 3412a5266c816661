import { errorText } from "../values/text.ts";
import { type FileProblem, FileProblemsError } from "./read-yaml-file.ts";
import {
  absent,
  type AnyRows,
  isSame,
  type JudgedSection,
  type SettingsRow,
  type SettingsRows,
} from "./section-row.ts";
import { createSettingsReader, judgeAll, readStable, type SettingsSource } from "./settings-reader.ts";

export {
  type AnyRows,
  brokenMembers,
  type JudgedSection,
  problemsOfSchema,
  type SectionJudge,
  settingsRow,
  type SettingsRow,
  type SettingsRows,
} from "./section-row.ts";

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

/** Returns the mistakes of sections. Throws what is no mistake in a file. */
const mistakesIn = (errors: readonly Error[]): FileProblem[] =>
  errors.flatMap((error) => {
    if (error instanceof FileProblemsError) return error.problems;
    throw error;
  });

/** What happens around a section. */
interface SettingsEvents {
  /** Stores the audit event of a version. The version binds once this has resolved. */
  readonly store: (section: string, content: unknown, paths: readonly string[]) => Promise<unknown>;
  /** Receives what applying a version said, once it is in force. */
  readonly onApplied: (section: string, paths: readonly string[], says: unknown) => void;
  /** Receives the first failure of each edit. `section`: `all` when the file itself can't be read. */
  readonly onFailure: (section: string, because: string) => void;
  /** Monotonic milliseconds. Default: the process's clock. */
  readonly now?: (() => number) | undefined;
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

/** An edit that is not in force. `section`: `all` when a file can't be read. */
interface HeldEdit {
  readonly section: string;
  readonly because: string;
  /** RFC 3339, in UTC. */
  readonly since: string;
}

/** Keeps which edits are not in force, and says each of their reasons once. */
function createHeldEdits(onFailure: SettingsEvents["onFailure"]) {
  const held = new Map<string, HeldEdit>();
  const add = (section: string, because: string): void => {
    const before = held.get(section);
    if (before?.because !== because) onFailure(section, because);
    held.set(section, { section, because, since: before?.since ?? new Date().toISOString() });
  };
  return {
    add,
    remove: (section: string): void => void held.delete(section),
    /** After a read that found these. What else holds a followed section stays until the section is looked at. */
    replace: (wrong: ReadonlyMap<string, Error>, isFollowed: (name: string) => boolean): void => {
      for (const name of held.keys()) if (!wrong.has(name) && !isFollowed(name)) held.delete(name);
      for (const [name, error] of wrong) add(name, errorText(error));
    },
    list: (): readonly HeldEdit[] => [...held.values()],
  };
}

/** How often the files are checked, milliseconds. Polling detects swapped links and editors that replace a file. */
const everyMs = 250;

/** The settings of a zone, from its start to `close`. */
export type Settings<Values extends object> = Awaited<ReturnType<typeof followSettings<Values>>>;

/**
 * Opens the settings of a zone: the sections of `rows`, those that this process uses. Each applies by itself, at the start and after each edit: its audit
 * event is stored, then it binds. A section that can't be used leaves its version in force, and so does one that is absent while the files have a name that is
 * no section, or can't be read: a mistake is no absence. Rejects with a `FileProblemsError` that has every mistake at the start.
 */
export async function followSettings<Values extends object>(
  source: SettingsSource,
  rows: Partial<SettingsRows<Values>>,
  { store, onApplied, onFailure, now = () => performance.now() }: SettingsEvents,
) {
  const followed: Followed[] = [];
  const held = createHeldEdits(onFailure);
  let wrong: ReadonlyMap<string, Error> = new Map();
  const binds = (name: string) => followed.find((section) => section.name === name)?.inForce;
  const reader = createSettingsReader(source, rows as AnyRows, { binds, now });
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
    const { name, isFixed } = section;
    const { version, because } = reader.versionOf(name);
    if (because !== undefined) return held.add(name, because);
    const isBound = isSame(version, section.inForce);
    if (!isBound && isFixed()) return held.add(name, "the edit applies after a restart of the zone");
    try {
      if (!isBound) await bind(section, version);
      if (!wrong.has(name)) held.remove(name);
    } catch (error) {
      held.add(name, errorText(error));
    }
  };
  const look = async (): Promise<void> => {
    const read = await reader.readChanged();
    wrong = read ?? wrong;
    if (read !== undefined) held.replace(read, (name) => binds(name) !== undefined);
    for (const section of followed) await apply(section);
  };
  /** Whatever a look meets, the versions before go on. */
  const lookSafely = async (): Promise<void> => {
    try {
      await look();
    } catch (error) {
      held.add("all", errorText(error));
    }
  };
  const atStart = mistakesIn([...(await reader.read()).values()]);
  if (atStart.length > 0) throw new FileProblemsError(atStart);
  let looking: Promise<void> | undefined;
  const settings = {
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
      await bind(section, reader.versionOf(name).version);
      followed.push(section);
      return () => section.inForce?.value as Values[Name];
    },
    /** Returns the sections that the files have, whether this process uses them or not. */
    names: reader.names,
    /** Returns the edits that are not in force. */
    notInForce: held.list,
    /** Looks at the files now, instead of in a quarter of a second. */
    look: async (): Promise<void> => {
      await looking;
      await (looking ??= lookSafely().finally(() => (looking = undefined)));
    },
    /** Stops following the files, after an edit that is being applied. */
    close: async (): Promise<void> => {
      clearInterval(timer);
      await looking;
    },
  };
  const timer = setInterval(() => void (looking ?? settings.look()), everyMs).unref();
  if (source.paths.length === 0) clearInterval(timer);
  return settings;
}

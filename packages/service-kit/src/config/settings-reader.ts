import { realpathSync } from "node:fs";
import { stateOfFiles } from "./live-files.ts";
import { FileProblemsError } from "./read-yaml-file.ts";
import { absent, type AnyRows, type JudgedSection, sameOr } from "./section-row.ts";
import { expanded, readSettingsFiles, type SectionNames, type SettingsFile } from "./settings-file.ts";

/** Where the settings are. Without a file, every section is absent. */
export interface SettingsSource extends SectionNames {
  readonly paths: readonly string[];
}

/** Reads the settings and the state of their files before the read, so that a write during the read is noticed at the next look. */
export async function readStable({
  paths,
  ...names
}: SettingsSource): Promise<{ file: SettingsFile; state: FilesState }> {
  let sources = paths;
  for (;;) {
    const state = stateOf(sources.flatMap(expanded));
    const file = await readSettingsFiles(paths, names);
    if (file.sources.join("\0") === sources.join("\0")) return { file, state };
    ({ sources } = file);
  }
}

/** Judges the sections of the rows, and refuses those that the file can't have. */
export async function judgeAll(file: SettingsFile, rows: AnyRows) {
  const judged = new Map<string, JudgedSection<unknown> | Error>();
  for (const [name, section] of file.sections) if (section instanceof Error) judged.set(name, section);
  for (const [name, { judge }] of Object.entries(rows)) {
    const section = file.sections.get(name) ?? absent;
    if (!(section instanceof Error)) judged.set(name, await judge(section).catch((error: Error) => error));
  }
  return judged;
}

const unreadFiles = ({ unread }: SettingsFile): [name: string, why: Error][] =>
  unread.length > 0 ? [["all", new FileProblemsError(unread)]] : [];

/** How files were when one looked. */
interface FilesState {
  /** Changes when a file is written, replaced or removed, or when who may read it changes. */
  readonly text: string;
  /** What each path leads to, through links; empty for one that leads to nothing. */
  readonly targets: readonly string[];
}

const stateOf = (paths: readonly string[]): FilesState => ({
  text: [...paths, stateOfFiles(paths)].join("\0"),
  targets: paths.map(targetOf),
});

function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return "";
  }
}

/** Whether a link leads to other files now, as Kubernetes replaces a volume: all of a change at once. A file that was away may still be written. */
const isSwap = (before: FilesState, after: FilesState): boolean =>
  before.targets.length === after.targets.length &&
  ![...before.targets, ...after.targets].includes("") &&
  after.targets.some((target, at) => target !== before.targets[at]);

/** How long files must be unchanged before a change of them is whole, and how long one waits at most, milliseconds: editors write in steps. */
const [calmMs, mostMs] = [1_000, 10_000];

/** Judges when a change of files is whole. `now`: monotonic milliseconds. */
function createCalm(now: () => number) {
  let seen = "";
  let [beganAt, changedAt]: [number | undefined, number] = [undefined, 0];
  return {
    /** Whether what differs from the state at the last read is whole: unchanged for a second, ten seconds old, or a swapped link. */
    isWhole: (read: FilesState, found: FilesState): boolean => {
      if (found.text === read.text) {
        beganAt = undefined;
        return false;
      }
      if (beganAt === undefined || found.text !== seen) [seen, changedAt] = [found.text, now()];
      beganAt ??= changedAt;
      const isOver = now() - changedAt >= calmMs || now() - beganAt >= mostMs || isSwap(read, found);
      if (isOver) beganAt = undefined;
      return isOver;
    },
  };
}

/** What is said of a section that no file has any more. */
const doubtfulAbsence = "no file has it, and another mistake in the files can be why: it stays as it was";
const recentAbsence = "no file has it any more: it stays as it was for ten seconds, and then counts as removed";

/** How long a section must be away until it counts as removed, unless a swapped link took it away, and how often what can't be used is read again. */
const [goneMs, againMs] = [10_000, 1_000];

/**
 * Reads the sections of `rows` anew when a change of their files is whole. A mistake is no absence: a section that no file has keeps its version while the files have a
 * name that is no section, or can't be read. `binds` returns the version of a section that is in force; `now` monotonic milliseconds.
 */
export function createSettingsReader(
  source: SettingsSource,
  rows: AnyRows,
  { binds, now }: { readonly binds: (name: string) => JudgedSection<unknown> | undefined; readonly now: () => number },
) {
  /** The last version of each section that can be used. */
  const usable = new Map<string, JudgedSection<unknown>>();
  /** Sections that were there and are in no file: since when, and what their absence says. */
  const gone = new Map<string, { readonly since: number; readonly version: JudgedSection<unknown> }>();
  const calm = createCalm(now);
  let found: Awaited<ReturnType<typeof readStable>>;
  let readAt = now();
  let isUnusable = false;

  /** Reads and judges the sections. Returns those that can't be used; `all`: a file can't be read. `isAtOnce`: what is gone is removed. */
  const read = async ({ isAtOnce = false } = {}): Promise<ReadonlyMap<string, Error>> => {
    // Until the read has ended.
    isUnusable = true;
    readAt = now();
    found = await readStable(source);
    const { sections, unread } = found.file;
    const wrong = new Map(unreadFiles(found.file));
    const isDoubtful = unread.length > 0 || [...sections.keys()].some((name) => !source.own.includes(name));
    for (const [name, one] of await judgeAll(found.file, rows)) {
      const files = (binds(name) ?? usable.get(name))?.paths ?? [];
      const since = gone.get(name)?.since ?? (isAtOnce ? -Infinity : now());
      gone.delete(name);
      if (one instanceof Error) wrong.set(name, one);
      // A part of it may be in a file that can't be read.
      else if (unread.some(({ path }) => files.includes(path))) continue;
      else if (one.paths.length > 0 || files.length === 0) usable.set(name, sameOr(one, usable.get(name)));
      else if (isDoubtful) wrong.set(name, new Error(doubtfulAbsence));
      else gone.set(name, { since, version: one });
    }
    isUnusable = wrong.size > 0;
    return wrong;
  };
  return {
    read,
    /** Reads if a change is whole, or if what could not be used may be without one, such as when a limit of open files was met. */
    readChanged: async (): Promise<ReadonlyMap<string, Error> | undefined> => {
      const state = stateOf(found.file.sources.flatMap(expanded));
      const isAtOnce = isSwap(found.state, state);
      const isAgain = isUnusable && now() - readAt >= againMs && state.text === found.state.text;
      if (!calm.isWhole(found.state, state) && !isAgain) return undefined;
      found = { ...found, state };
      return await read({ isAtOnce });
    },
    /** Returns the last version of a section that can be used, and why it stays if the files say something else. */
    versionOf: (name: string): { readonly version: JudgedSection<unknown>; readonly because?: string } => {
      const version = usable.get(name) as JudgedSection<unknown>;
      const absence = gone.get(name);
      if (absence === undefined) return { version };
      return now() - absence.since < goneMs ? { version, because: recentAbsence } : { version: absence.version };
    },
    /** Returns the sections that the files have. */
    names: (): readonly string[] => [...found.file.sections.keys()],
  };
}

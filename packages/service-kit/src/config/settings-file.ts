import { existsSync, globSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isObject, pointerStep } from "@crosszone/contracts/json";
import { nearName } from "../values/text.ts";
import { type FileProblem, FileProblemsError, readYamlFile, type YamlFile } from "./read-yaml-file.ts";

/** What a section says, wherever it is written. */
export interface SectionContent {
  /** Undefined for an absent section. */
  readonly value: unknown;
  /** The files that say it. */
  readonly paths: readonly string[];
  /** What can't be read of it. */
  readonly unread: readonly FileProblem[];
  /** Adds the file and the position to a problem at a JSON pointer into the section. */
  readonly problemAt: YamlFile["problemAt"];
}

/** The sections that a file of settings can have. */
export interface SectionNames {
  readonly own: readonly string[];
  /** Where the sections of the other zone belong. */
  readonly elsewhere: Readonly<Record<string, string>>;
}

/** Files of settings with the files that they name. */
export interface SettingsFile {
  /** By name: what a section says, or why it can't be read. */
  readonly sections: ReadonlyMap<string, SectionContent | FileProblemsError>;
  /** The paths and patterns that decide what it says. */
  readonly sources: readonly string[];
  /** Why files can't be read. What is in the others is not all that is said. */
  readonly unread: readonly FileProblem[];
}

/** A part of a section: a value in one of its files. */
interface Part {
  readonly file: YamlFile;
  readonly pointer: string;
  readonly value: unknown;
}

/** Reads YAML files of settings, and the files that their sections name. A mistake in one section or file does not hide the others. */
export async function readSettingsFiles(paths: readonly string[], names: SectionNames): Promise<SettingsFile> {
  const given = new Map<string, Part[]>();
  const unread: FileProblem[] = [];
  for (const path of paths) {
    const read = await readSections(path, names).catch(problemsOnly);
    if (read instanceof FileProblemsError) unread.push(...read.problems);
    else for (const [name, part] of read) given.getOrInsertComputed(name, () => []).push(part);
  }
  const sources = [...paths];
  const sections = new Map<string, SectionContent | FileProblemsError>();
  for (const [name, parts] of given)
    sections.set(
      name,
      names.own.includes(name)
        ? await readSection(name, parts, sources)
        : new FileProblemsError(parts.map((part) => problemOf(part, whyNotHere(name, names)))),
    );
  return { sections, sources, unread };
}

function problemsOnly(error: unknown): FileProblemsError {
  if (error instanceof FileProblemsError) return error;
  throw error;
}

async function readSections(path: string, { own }: SectionNames): Promise<(readonly [name: string, Part])[]> {
  const file = await readYamlFile(path, "file of settings");
  const { value: all } = file;
  // A file that was cut off must not open what its policy closed.
  const message =
    all === null
      ? "is empty: write {} if every section has its default"
      : `must be a map of sections: ${own.join(", ")}`;
  if (!isObject(all)) throw new FileProblemsError([file.problemAt({ pointer: "", message })]);
  return Object.entries(all).map(([name, value]) => [name, { file, pointer: pointerStep(name), value }]);
}

/** Adds the paths and patterns that the section names to `sources`. */
async function readSection(name: string, given: readonly Part[], sources: string[]): Promise<SectionContent> {
  const parts: Part[] = [];
  const problems: FileProblem[] = [];
  for (const part of given) {
    const references = referencesIn(part);
    if (references === undefined) parts.push(part);
    for (const reference of references ?? []) {
      const source = resolve(dirname(part.file.path), String(reference.value));
      sources.push(source);
      const paths = expanded(source).filter((path) => existsSync(path));
      if (paths.length === 0)
        problems.push(
          problemOf(
            reference,
            "is not the path of a file: create the file, write another path, or write the section here",
          ),
        );
      for (const path of paths) {
        const read = await readPart(name, path).catch(problemsOnly);
        if (read instanceof FileProblemsError) problems.push(...read.problems);
        else parts.push(read);
      }
    }
  }
  return joined(parts, problems);
}

/** Reads a file that a section names. It has that section alone, under its name. */
async function readPart(name: string, path: string): Promise<Part> {
  const file = await readYamlFile(path, `file of the section ${name}`);
  const whole = { file, pointer: "", value: file.value };
  if (!isObject(file.value) || !Object.hasOwn(file.value, name))
    throw refused(whole, `must have the section ${name}: write ${name}: above its content`);
  const other = Object.keys(file.value).find((key) => key !== name);
  if (other !== undefined)
    throw refused(
      { ...whole, pointer: pointerStep(other) },
      `is not part of ${name}: move it to the file that names this one`,
    );
  const part = { file, pointer: pointerStep(name), value: file.value[name] };
  if (referencesIn(part) !== undefined)
    throw refused(part, "must be the content: a file that a section names can't name others");
  return part;
}

/** Returns the paths that stand in place of a section's content; undefined for the content itself. */
function referencesIn({ file, pointer, value }: Part): readonly Part[] | undefined {
  if (typeof value === "string") return [{ file, pointer, value }];
  if (!Array.isArray(value) || value.length === 0 || !value.every((one) => typeof one === "string")) return undefined;
  return value.map((one, index) => ({ file, pointer: `${pointer}/${index}`, value: one }));
}

/** Returns the files of a path, which can be a pattern. */
export const expanded = (source: string): string[] => (source.includes("*") ? globSync(source).toSorted() : [source]);

const problemOf = ({ file, pointer }: Part, message: string): FileProblem => file.problemAt({ pointer, message });
const refused = (part: Part, message: string): FileProblemsError => new FileProblemsError([problemOf(part, message)]);

function whyNotHere(name: string, { own, elsewhere }: SectionNames): string {
  const place = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined;
  if (place !== undefined) return `belongs to ${place}: move it there`;
  const near = nearName(name, own);
  return `is not a section. ${near === undefined ? `The sections are ${own.join(", ")}` : `Did you mean ${near}?`}`;
}

/** Puts the parts of a section together: items of lists and members of maps. What two files say is a problem. */
function joined(parts: readonly Part[], unread: readonly FileProblem[]): SectionContent {
  /** Where each value that only one file says is written, by its pointer into the section. */
  const origins = new Map<string, Part>();
  const problems = [...unread];
  const join = (of: readonly Part[], pointer: string): unknown => {
    const [first, second] = of;
    if (first === undefined) return undefined;
    origins.set(pointer, first);
    if (second === undefined) return first.value;
    if (of.every(({ value }) => Array.isArray(value)))
      return of.flatMap(membersOf).map(([, item], index) => join([item], `${pointer}/${index}`));
    if (of.every(({ value }) => isObject(value))) {
      const members = Map.groupBy(of.flatMap(membersOf), ([name]) => name);
      const entries = [...members].map(([name, all]) => [
        name,
        join(
          all.map(([, member]) => member),
          pointer + pointerStep(name),
        ),
      ]);
      return Object.fromEntries(entries);
    }
    const { path, line } = problemOf(first, "");
    problems.push(problemOf(second, `is also in ${path}, line ${line}: keep one of the two`));
    return first.value;
  };
  const value = join(parts, "");
  const problemAt: YamlFile["problemAt"] = ({ pointer, message }) => {
    let place = pointer;
    while (!origins.has(place)) place = place.slice(0, place.lastIndexOf("/"));
    const { file, pointer: start } = origins.get(place) as Part;
    return file.problemAt({ pointer: start + pointer.slice(place.length), message });
  };
  return { value, paths: [...new Set(parts.map(({ file }) => file.path))], unread: problems, problemAt };
}

const membersOf = ({ file, pointer, value }: Part): (readonly [name: string, member: Part])[] =>
  Object.entries(value as object).map(([name, one]) => [
    name,
    { file, pointer: pointer + pointerStep(name), value: one as unknown },
  ]);

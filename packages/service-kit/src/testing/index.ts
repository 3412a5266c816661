import { tempFile } from "@crosszone/testkit/temporary";
import { FileProblemsError } from "../config/read-yaml-file.ts";
import { readSection, type SettingsRow } from "../config/settings.ts";

/** Reads a section of a text, as a zone reads it from its file of settings. */
export async function sectionIn<Value>(name: string, row: SettingsRow<Value>, text: string): Promise<Value> {
  const source = { paths: [tempFile("settings.yaml", text)], own: [name], elsewhere: {} };
  return (await readSection(source, name, row)).value;
}

/** Returns the mistakes in a section of a text, each after its line and column. */
export async function mistakesIn(name: string, row: SettingsRow<unknown>, text: string): Promise<string[]> {
  const path = tempFile("settings.yaml", text);
  const read = readSection({ paths: [path], own: [name], elsewhere: {} }, name, row);
  const found = await read.then(
    ({ leftOut }) => new FileProblemsError(leftOut),
    (error: unknown) => error as FileProblemsError,
  );
  if (!(found instanceof FileProblemsError)) throw found;
  return found.problems.length === 0 ? [] : found.message.replaceAll(`${path}:`, "").split("\n");
}

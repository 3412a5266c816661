import { readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { FileProblemsError, readYamlFile, type FileProblem, type YamlFile } from "@crosszone/service-kit/yaml";

const endings = [".json", ".yaml", ".yml"];

/** Reads a file with one definition, JSON or YAML. Throws a `FileProblemsError` if it can't be read. */
export const readWorkflowFile = (path: string): Promise<YamlFile> => readYamlFile(path, "file of a workflow");

/**
 * Reads all definitions of a folder, JSON or YAML, in the order of their names. Ignores subfolders, hidden files and other files. Throws a
 * `FileProblemsError` with the problems of all files.
 */
export async function readWorkflowFiles(folder: string): Promise<readonly YamlFile[]> {
  const names = (await namesIn(folder)).filter(isDefinition);
  const files: YamlFile[] = [];
  const problems: FileProblem[] = [];
  for (const name of names.toSorted()) {
    try {
      files.push(await readWorkflowFile(join(folder, name)));
    } catch (error) {
      if (!(error instanceof FileProblemsError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new FileProblemsError(problems);
  return files;
}

/** Editors and operating systems create hidden files: `.#a.yaml`, `._a.json`. */
const isDefinition = (name: string): boolean => !name.startsWith(".") && endings.includes(extname(name).toLowerCase());

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    const message = `the folder of workflows cannot be read (${code}): create it, or set another folder`;
    throw new FileProblemsError([{ path: folder, line: 1, column: 1, pointer: "", message }]);
  }
}

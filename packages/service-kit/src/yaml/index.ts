/** Reads files that people write, and locates problems in them. */
export { FileProblemsError, type FileProblem } from "./file-problems-error.ts";
export { readYamlFile, type YamlFile } from "./read-yaml-file.ts";

/** Files that people write: what they say, and where what is wrong with it stands. */
export { FileProblemsError, type FileProblem } from "./file-problems-error.ts";
export { readYamlFile, type YamlFile } from "./read-yaml-file.ts";

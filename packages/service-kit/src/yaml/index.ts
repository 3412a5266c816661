/** Reads files that people write, and locates problems in them. */
export { FileProblemsError, type FileProblem } from "./problems.ts";
export { readYamlFile, type YamlFile } from "./read-yaml-file.ts";

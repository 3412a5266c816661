import { matchesGlob } from "node:path";
import { inputsOf } from "../../../tests/run/inputs.ts";
import type { Source } from "./sources.ts";

/** What starts a process. */
const starts = /^import \{[^}]*\b(start(?:\w*Process|OnDatabase)|spawn|fork)\b[^}]*\} from/m;

/** What does more outside the quick suite. */
const doesMore =
  /^import \{[^}]*\b(onBothEngines|onFreshDatabases|testOnPostgres|migrationsContract|someOf)\b[^}]*\} from|inject\("engines"/m;

/** Returns one sentence for each test file whose first line names no suite, or one that does not fit what it does. */
export function findSuites(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => path.endsWith(".test.ts") && !/^tests\/(full|external)\//.test(path))
    .flatMap(({ path, text }) => {
      const [, suite = "quick"] = /^\/\/ suite: (\w+)\n/.exec(text) ?? [];
      const [, start] = starts.exec(text) ?? [];
      if (suite === "rest") return [];
      if (start !== undefined)
        return [`${path} imports ${start}, which starts a process: begin with the line // suite: rest`];
      if (doesMore.test(text) === (suite === "both")) return [];
      return suite === "both"
        ? [`${path} does the same in both suites: remove its first line, or say // suite: rest`]
        : [`${path} does more outside the quick suite: begin with the line // suite: both`];
    });
}

/** Returns one sentence for each test file that kills and may be tried again: what kills finds what happens rarely. */
export function findTriedKillers(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path, text }) => path.endsWith(".test.ts") && text.includes('"SIGKILL"'))
    .filter(({ text }) => !/^(?:\/\/ .*\n)*?\/\/ @module-tag judge\n/.test(text))
    .map(({ path }) => `${path} sends SIGKILL: say // @module-tag judge at its top, so that CI never tries it again`);
}

/** Returns one sentence for each pattern in the line `// inputs:` of a test file that matches no file. */
export function findStaleInputs(sources: readonly Source[], files: readonly string[]): string[] {
  return sources.flatMap(({ path, text }) =>
    (path.endsWith(".test.ts") ? (inputsOf(text) ?? []) : [])
      .filter((pattern) => !files.some((file) => matchesGlob(file, pattern)))
      .map((pattern) => `${path} names the inputs ${pattern}, which no file matches`),
  );
}

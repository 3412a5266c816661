import { readFileSync } from "node:fs";
import { openLiveFiles, type ConfigProblem } from "@crosszone/service-kit";
import { AssistantFileError, parseAssistantFile, type AssistantFile } from "./assistant-file.ts";
import { judgeModel, type NamedModelConfig } from "./named-model.ts";

export interface AssistantFileConfig extends NamedModelConfig {
  readonly ASSISTANT_FILE?: string | undefined;
}

const nothing: AssistantFile = { channels: {}, teams: {} };

/** Reads ASSISTANT_FILE; returns an empty file when it is not set. Throws an `AssistantFileError`. */
export function readAssistantFile(config: AssistantFileConfig): AssistantFile {
  if (config.ASSISTANT_FILE === undefined) return nothing;
  try {
    return parseAssistantFile(readFileSync(config.ASSISTANT_FILE, "utf8"), judgeModel(config));
  } catch (error) {
    throw asFileError(error);
  }
}

/** Returns the problems of ASSISTANT_FILE. */
export function assistantFileProblems(config: AssistantFileConfig): ConfigProblem[] {
  try {
    readAssistantFile(config);
    return [];
  } catch (error) {
    const { problems } = asFileError(error);
    return problems.map((problem) => ({
      name: "ASSISTANT_FILE",
      wrong: `names a file that can't be used: ${problem}`,
    }));
  }
}

export interface FollowOptions {
  /** Called when a new version takes effect. */
  readonly onChanged: () => void;
  /** Called once per new version that can't be used. The previous version stays in effect. */
  readonly onRefused: (error: AssistantFileError) => void;
}

/**
 * Returns a function that checks the file on each call and returns its current content. Throws a `ConfigError` when the
 * first version can't be used.
 */
export function followAssistantFile(
  config: AssistantFileConfig,
  { onChanged, onRefused }: FollowOptions,
): () => AssistantFile {
  const { ASSISTANT_FILE: path } = config;
  if (path === undefined) return () => nothing;
  const file = openLiveFiles({
    paths: { ASSISTANT_FILE: path },
    parse: ([text = ""]) => parseAssistantFile(text, judgeModel(config)),
    checkEveryMs: 0,
    onFailure: (error) => onRefused(asFileError(error)),
  });
  let inForce = file.current();
  return () => {
    const next = file.current();
    if (next !== inForce) onChanged();
    inForce = next;
    return next;
  };
}

function asFileError(error: unknown): AssistantFileError {
  if (error instanceof AssistantFileError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
  return new AssistantFileError([`it can't be read (${code})`]);
}

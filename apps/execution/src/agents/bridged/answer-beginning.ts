import { answerPartsOf, isLinkedFile, isObject } from "./answer-parts.ts";

/**
 * Returns the text that the answer begins with if the agent only adds to these artifacts. The text ends before the first file that the agent
 * links to: only the answer knows whether the file was fetched or stays a link. It has no blanks at its end.
 */
export function answerBeginningOf(artifacts: readonly unknown[]): string {
  return answerPartsOf({ artifacts: beforeLinkedFile(artifacts) })?.text ?? "";
}

function beforeLinkedFile(artifacts: readonly unknown[]): readonly unknown[] {
  const at = artifacts.findIndex((artifact) => partsOf(artifact).some(isLinkedFile));
  if (at === -1) return artifacts;
  const parts = partsOf(artifacts[at]);
  return [...artifacts.slice(0, at), { parts: parts.slice(0, parts.findIndex(isLinkedFile)) }];
}

function partsOf(artifact: unknown): readonly unknown[] {
  const parts = isObject(artifact) ? artifact["parts"] : undefined;
  return Array.isArray(parts) ? parts : [];
}

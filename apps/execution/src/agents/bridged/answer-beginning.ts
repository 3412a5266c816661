import { ownList } from "@crosszone/service-kit/json";
import { createPartsReader, isLinkedFile, joinTexts } from "./answer-parts.ts";

/** An artifact and its progress. */
interface ReadArtifact {
  readonly artifact: unknown;
  readonly reader: ReturnType<typeof createPartsReader>;
  /** Number of parts read. */
  count: number;
  /** Whether the next part is a file that the agent links to. */
  isCut: boolean;
}

/**
 * Returns a function that returns the text that the answer begins with if the agent only appends to the given
 * artifacts. The text ends before the first linked file, because only the answer knows whether the file was fetched. It
 * has no trailing whitespace. Parts already read are not read again; otherwise a long stream would cost quadratic time.
 */
export function createAnswerBeginning(): (artifacts: readonly unknown[]) => string {
  let known: readonly ReadArtifact[] = [];
  return (artifacts) => {
    const read: ReadArtifact[] = [];
    for (const [index, artifact] of artifacts.entries()) {
      const before = known[index];
      const one = before !== undefined && before.artifact === artifact ? before : newArtifact(artifact);
      readOn(one);
      read.push(one);
      if (one.isCut) break;
    }
    known = read;
    return joinTexts(read.map(({ reader }) => reader.text));
  };
}

const newArtifact = (artifact: unknown): ReadArtifact => ({
  artifact,
  reader: createPartsReader(),
  count: 0,
  isCut: false,
});

function readOn(one: ReadArtifact): void {
  const parts = ownList(one.artifact, "parts");
  for (; one.count < parts.length && !one.isCut; one.count += 1) {
    const part = parts[one.count];
    one.isCut = isLinkedFile(part);
    if (!one.isCut) one.reader.add(part);
  }
}

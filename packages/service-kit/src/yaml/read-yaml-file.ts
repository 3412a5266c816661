import { readFile, stat } from "node:fs/promises";
import { LineCounter, parseDocument, type Document } from "yaml";
import { FileProblemsError, type FileProblem } from "./file-problems-error.ts";
import { locate } from "./locate.ts";

/** What a file says, and where it says it. */
export interface YamlFile {
  readonly path: string;
  readonly value: unknown;
  /** The place of what a JSON pointer (RFC 6901) leads to, with what is wrong there. */
  readonly problemAt: (problem: { readonly pointer: string; readonly message: string }) => FileProblem;
}

/** Far more than somebody writes. */
const mostBytes = 4_000_000;

/**
 * Reads a file of YAML 1.2, of which JSON is a part. `what` names it for people: `file of agents`. Throws a `FileProblemsError` when it cannot
 * be read, with each mistake by its line. https://yaml.org/spec/1.2.2/
 */
export async function readYamlFile(path: string, what: string): Promise<YamlFile> {
  const text = await readText(path, what);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const mistakes = [...document.errors, ...document.warnings].map(({ pos: [offset], message }): FileProblem => {
    const { line, col } = lines.linePos(offset);
    // After a colon, the parser shows what stands there.
    return { path, line, column: col, pointer: "", message: message.split(":", 1)[0] as string };
  });
  if (mistakes.length > 0) throw new FileProblemsError(mistakes);
  return {
    path,
    value: valueOf(document, path),
    problemAt: (problem) => ({ path, ...locate(document, lines, problem.pointer), ...problem }),
  };
}

async function readText(path: string, what: string): Promise<string> {
  const bytes = await readBytes(path, what);
  // A mark of the byte order is for the parser.
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return utf8.decode(bytes);
  } catch {
    throw unreadable(path, `the ${what} is not UTF-8: save it as UTF-8`);
  }
}

async function readBytes(path: string, what: string): Promise<Buffer> {
  try {
    const found = await stat(path);
    // Whoever reads a pipe waits for somebody who writes.
    if (!found.isFile()) throw unreadable(path, `the ${what} is no file: put one there, or name another`);
    if (found.size <= mostBytes) return await readFile(path);
  } catch (error) {
    if (error instanceof FileProblemsError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    throw unreadable(path, `the ${what} cannot be read (${code}): put one there, or name another`);
  }
  throw unreadable(path, `the ${what} is too large: 4,000,000 bytes at the most`);
}

function valueOf(document: Document, path: string): unknown {
  try {
    return document.toJS();
  } catch {
    // A few lines of aliases of aliases could stand for more than memory holds.
    throw unreadable(path, "the aliases stand for more than is read: write out what they stand for");
  }
}

const unreadable = (path: string, message: string): FileProblemsError =>
  new FileProblemsError([{ path, line: 1, column: 1, pointer: "", message }]);

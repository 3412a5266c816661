import { attachedTexts, codeBlocks, type Document } from "../documents/find-document.ts";
import { findJsonError, type JsonError } from "../documents/find-json-error.ts";
import { indentJson, type Json, kindOf, measureJson } from "../documents/json-text.ts";
import { code, codeBlock, counted, oneLine, table } from "../message/markdown.ts";
import type { BuiltinSkill, Question } from "../message/skill.ts";

/** The longest text that is indented, characters, and the deepest. */
const LONGEST_PRETTY = 1000;
const DEEPEST_PRETTY = 30;
const MOST_MEMBERS = 20;

/** Checks and measures JSON. Reports an error with its line and column. */
export const jsonStatistics: BuiltinSkill = {
  id: "json-statistics",
  name: "JSON",
  description: "Checks JSON, shows where an error is, counts its contents, and indents short texts.",
  examples: [
    'json: {"name": "Ada", "tags": ["math", "code"]}',
    'check this JSON: {"a": 1,}',
    '[{"id": 1, "ok": true}, {"id": 2}]',
  ],
  match: (question) => {
    const document = findJson(question);
    return document && (() => describe(document));
  },
};

/** How unlabeled JSON starts: an object with a name, a list of objects or strings, a list of numbers. */
const BARE = [/^\{\s*(?:"|'|\})/, /^\[\s*[{["\]][^]*\]$/, /^\[[-+\d.,eE\s]+\]$/];

function findJson(question: Question): Document | undefined {
  const { text } = question;
  const start = text.search(/[{[]/);
  const isAsked = /\bjson\b/i.test(start === -1 ? question.phrase : text.slice(0, Math.min(start, 200)));
  const documents = [...codeBlocks(text), ...attachedTexts(question)];
  const marked = documents.find(({ format }) => /\bjson$/.test(format));
  if (marked !== undefined) return marked;
  const fitting = documents.find((document) => /^\s*[{[]/.test(document.text));
  if (fitting !== undefined) return fitting;
  if (isAsked && documents[0] !== undefined) return documents[0];
  return start !== -1 && (isAsked || BARE.some((form) => form.test(text)))
    ? { text: text.slice(start), format: "" }
    : undefined;
}

function describe({ text, name }: Document): string {
  const title = name === undefined ? "" : `${code(name)}: `;
  const error = findJsonError(text);
  if (error !== undefined) return `${title}${describeError(text, error)}`;
  const root = JSON.parse(text) as Json;
  const { counts, depth, names } = measureJson(root);
  const rows = [
    ["Shape", shapeOf(root)],
    ["Size", counted(text.length, "character")],
    ["Depth", String(depth)],
    ...Object.entries(counts).map(([kind, count]) => [PLURALS.get(kind) ?? kind, count.toLocaleString("en")]),
    ["Distinct names", names.toLocaleString("en")],
  ].filter(([, count]) => count !== "0");
  const isShort = text.length <= LONGEST_PRETTY && depth <= DEEPEST_PRETTY;
  const parts = [
    `${title}This is **valid JSON**.`,
    table(["JSON", ""], rows),
    members(root),
    isShort ? codeBlock(indentJson(text), "json") : "",
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

const PLURALS: ReadonlyMap<string, string> = new Map([
  ["object", "Objects"],
  ["array", "Arrays"],
  ["string", "Strings"],
  ["number", "Numbers"],
  ["boolean", "Booleans"],
  ["null", "Nulls"],
]);

function describeError(text: string, { offset, problem }: JsonError): string {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  const line = before.split("\n").length;
  const from = Math.max(lineStart, offset - 40);
  const [excerpt = ""] = text.slice(from, offset + 20).split("\n", 1);
  const pointer = `${" ".repeat(offset - from)}^`;
  const shown = codeBlock(`${excerpt.replaceAll("\t", " ")}\n${pointer}`);
  return `This is **not valid JSON**. Line ${line}, column ${offset - lineStart + 1}: ${problem}.\n\n${shown}`;
}

function shapeOf(root: Json): string {
  if (Array.isArray(root)) return `an array of ${counted(root.length, "entry", "entries")}`;
  if (kindOf(root) === "object") return `an object with ${counted(Object.keys(root as object).length, "member")}`;
  return `a single ${kindOf(root)}`;
}

/** Lists the members of an object, or of the objects in a list, with their types and frequency. */
function members(root: Json): string {
  const objects = (Array.isArray(root) ? root : [root]).filter((entry) => kindOf(entry) === "object");
  const found = new Map<string, { kinds: Set<string>; count: number }>();
  for (const entry of objects) {
    for (const [name, value] of Object.entries(entry as Record<string, Json>)) {
      const member = found.get(name) ?? { kinds: new Set(), count: 0 };
      member.kinds.add(kindOf(value));
      member.count += 1;
      found.set(name, member);
    }
  }
  if (found.size === 0) return "";
  const rows = [...found]
    .slice(0, MOST_MEMBERS)
    .map(([name, { kinds, count }]) => [oneLine(name, 40), [...kinds].join(", "), `${count} of ${objects.length}`]);
  const more = found.size > MOST_MEMBERS ? `\n\n_and ${counted(found.size - MOST_MEMBERS, "more name")}_` : "";
  return `${table(["Name", "Type", "Present in"], rows)}${more}`;
}

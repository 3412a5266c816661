import { hash } from "node:crypto";
import { canonicalJson, isObject, type JsonObject, recordOf } from "@crosszone/service-kit/json";
import { visibleLine } from "@crosszone/service-kit/text";

/** A tool as its server describes it. The description is untrusted until it is pinned. */
export interface McpDefinition {
  readonly name: string;
  /** Empty when the server gives none, and so are the schema and the annotations. */
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Hints such as `readOnlyHint`. */
  readonly annotations: Readonly<Record<string, unknown>>;
}

/** A tool of a list that can't be offered. */
export interface McpLeftOut {
  /** Its name, shortened, or its place in the list. */
  readonly name: string;
  /** A sentence without its period, such as "it has no name". */
  readonly because: string;
}

/** The tools of a server, by name, and what its list has besides. */
export interface McpList {
  readonly tools: readonly McpDefinition[];
  readonly leftOut: readonly McpLeftOut[];
}

/**
 * Whether a tool may be offered: only a `pinned` one. `new` is an unknown tool on a known server; `changed` differs
 * from its pinned definition.
 */
export type McpToolState = "pinned" | "changed" | "new";

/** Stores the definitions that may be offered. */
export interface McpPins {
  /**
   * Stores a server's current list and returns the state of each tool by name. All tools of a new server become
   * `pinned`.
   */
  observe(server: string, list: McpList): Promise<ReadonlyMap<string, McpToolState>>;
}

/** One page of a server's list of tools. */
export interface McpPage {
  readonly tools: readonly McpDefinition[];
  readonly leftOut: readonly McpLeftOut[];
  /** The cursor of the next page. */
  readonly next?: string | undefined;
}

/** The longest name, schema and definition of a tool that is offered, and the longest name of one that is not, characters. */
const longest = { name: 256, schema: 8_000, definition: 64_000, shown: 80 };

/**
 * Reads the result of `tools/list`, each tool by itself: null counts as absent, and members that nobody uses are not looked at. `broken`: why the
 * JSON of a tool can't be kept, by its place in the list, from 0.
 */
export function readPage(result: unknown, broken: ReadonlyMap<number, string> = new Map()): McpPage {
  const { tools: listed = null, nextCursor } = recordOf(result);
  const next = typeof nextCursor === "string" && nextCursor !== "" ? nextCursor : undefined;
  if (listed !== null && !Array.isArray(listed))
    return { tools: [], leftOut: [{ name: "all tools", because: "they are not in a list" }], next };
  const read = ((listed ?? []) as readonly unknown[]).map((tool, at) => readTool(tool, at, broken.get(at)));
  return {
    tools: read.filter((one): one is McpDefinition => "inputSchema" in one),
    leftOut: read.filter((one): one is McpLeftOut => "because" in one),
    next,
  };
}

/** Returns a tool as it is listed, or why it can't be offered. */
function readTool(tool: unknown, at: number, broken: string | undefined): McpDefinition | McpLeftOut {
  const { name: given, description, inputSchema, annotations } = recordOf(tool);
  const name = typeof given === "string" ? given : "";
  const shown = visibleLine(name).slice(0, longest.shown).toWellFormed() || `tool ${at + 1} of the list`;
  const definition: McpDefinition = {
    name,
    description: typeof description === "string" ? description : "",
    inputSchema: recordOf(inputSchema),
    annotations: hintsOf(annotations),
  };
  const because = broken ?? problemOf(definition, inputSchema);
  return because === undefined ? definition : { name: shown, because };
}

const hints = ["title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

const hintsOf = (annotations: unknown): JsonObject =>
  Object.fromEntries(
    Object.entries(recordOf(annotations)).filter(([name, value]) => hints.includes(name) && value !== null),
  );

function problemOf(definition: McpDefinition, given: unknown): string | undefined {
  const { name, inputSchema } = definition;
  if (visibleLine(name) === "") return "it has no name";
  if (/[\p{Cc}\p{Cs}]/u.test(name)) return "its name has characters that are none of a text";
  if (name.length > longest.name) return tooLong("name", name.length, longest.name);
  const { type } = inputSchema;
  const isOfObject = [type].flat().some((one) => one === undefined || one === null || one === "object");
  // PHP writes an empty object as an empty list.
  const isAbsent = given === undefined || given === null || (Array.isArray(given) && given.length === 0);
  if (!(isAbsent || isObject(given)) || !isOfObject) return "its input schema is not that of an object";
  const length = lengthOf(inputSchema);
  if (length > longest.schema) return tooLong("input schema", length, longest.schema);
  const whole = lengthOf(definition);
  if (whole > longest.definition) return tooLong("definition", whole, longest.definition);
  return hasValidMarks(inputSchema) ? undefined : `its input schema has a wrong ${mark}`;
}

const tooLong = (what: string, length: number, most: number): string =>
  `its ${what} has ${length.toLocaleString("en")} characters, more than ${most.toLocaleString("en")}`;

function lengthOf(value: unknown): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    // It is nested too deeply.
    return Infinity;
  }
}

/** The member of a schema that copies an argument to a header, `Mcp-Param-<mark>`. */
const mark = "x-mcp-header";

/** https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
const token = /^[!#$%&'*+\-.^_`|~\w]+$/;
const types: readonly unknown[] = ["string", "integer", "boolean"];

/**
 * Returns whether the marks of a tool's schema are allowed; a tool with any other must not be offered. A mark is a name
 * of a header, unique, and stands only at primitive properties of the object and of objects in it.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#schema-extension
 */
function hasValidMarks(schema: unknown): boolean {
  const names = new Set<string>();
  const visit = (node: unknown, isProperty: boolean, isReachable: boolean): boolean => {
    if (typeof node !== "object" || node === null) return true;
    if (Array.isArray(node)) return node.every((item) => visit(item, false, false));
    const { [mark]: name, properties, type, ...rest } = node as JsonObject;
    if (name !== undefined && name !== null) {
      if (!isProperty || !isReachable || typeof name !== "string" || !token.test(name)) return false;
      if (!types.includes(type) || names.has(name.toLowerCase())) return false;
      names.add(name.toLowerCase());
    }
    const members = typeof properties === "object" && properties !== null ? Object.values(properties) : [];
    return (
      members.every((member) => visit(member, true, isReachable)) &&
      Object.values(rest).every((other) => visit(other, false, false))
    );
  };
  return visit(schema, false, true);
}

/** Returns the SHA-256 of a definition, in hex. The order of members is irrelevant, the order of items is not. */
export function fingerprintOf({ name, description, inputSchema, annotations }: McpDefinition): string {
  return hash("sha256", canonicalJson({ name, description, inputSchema, annotations }), "hex");
}

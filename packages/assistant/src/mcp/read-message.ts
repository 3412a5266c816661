import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import { isObject, type JsonObject, plainJson, recordOf } from "@crosszone/service-kit/json";
import { visibleLine } from "@crosszone/service-kit/text";
import { brokenOffCode, itsAnswer } from "./mcp-failure.ts";
import type { McpAnswer, McpPart } from "./mcp-server.ts";
import { type McpPage, readPage } from "./read-tools.ts";

/** A request that waits for its response. */
export interface McpRequest {
  readonly id: unknown;
  readonly method: unknown;
  /** Whether it is one of version 2026-07-28. */
  readonly isModern: boolean;
}

/** What the client of the SDK hands through in results, which it would refuse as a whole for one odd member. */
export interface ReadResults {
  readonly listed: McpPage;
  readonly answer: McpAnswer;
}

/** An id as it is compared: some servers send a number back as text. */
export const comparedId = (id: unknown): unknown => (typeof id === "number" ? String(id) : id);

/** Returns the request of a message; undefined for anything else. */
export function requestIn(message: unknown): McpRequest | undefined {
  const { id, method, params } = recordOf(message);
  if (id === undefined || method === undefined) return undefined;
  const meta = recordOf(recordOf(params)["_meta"]);
  return { id, method, isModern: meta["io.modelcontextprotocol/protocolVersion"] !== undefined };
}

/**
 * Reads a message of a server, and returns it as the client of the SDK accepts it: each member by itself, null as absent. Results of the methods
 * that are called here become the members that are used, in `ReadResults`. Values of a response that would change make it an error. Returns
 * undefined for a text that is not JSON. `requestOf` finds the request of a response by its id, which errors may lack.
 */
export function readServerMessage(text: string, requestOf: (id: unknown) => McpRequest | undefined): unknown {
  const { value, problem } = parse(text);
  if (Array.isArray(value)) return value.map((one) => read(one, { text, problem, requestOf }));
  return read(value, { text, problem, requestOf });
}

interface Reading {
  readonly text: string;
  readonly problem: JsonTextError | undefined;
  readonly requestOf: (id: unknown) => McpRequest | undefined;
}

function read(value: unknown, reading: Reading): unknown {
  if (!isObject(value)) return value;
  const message = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
  const { jsonrpc, id, error } = message;
  const isNone = !("result" in value || "error" in message) || (id === undefined && jsonrpc === undefined);
  if ("method" in message || isNone) return message;
  const request = reading.requestOf(id);
  const response = { jsonrpc: "2.0", id: request?.id ?? id };
  const { result = error === undefined ? {} : undefined } = message;
  const isError = result === undefined || (isObject(error) && Object.keys(error).length > 0);
  if (isError) return { ...response, error: errorOf(error) };
  const found = resultOf(result, { ...reading, request });
  return typeof found === "string" ? errorMessage(response.id, found) : { ...response, result: found };
}

/** Returns the error of a response that did not come, or can't be used. `message` is for the operator. */
export const errorMessage = (id: unknown, message: string) => ({
  jsonrpc: "2.0" as const,
  id,
  error: { code: brokenOffCode, message },
});

function errorOf(error: unknown) {
  const { code, message, data } = recordOf(error);
  const said = typeof error === "string" ? error : "";
  return {
    code: Number.isSafeInteger(code) ? code : -32_603,
    message: typeof message === "string" ? message : said,
    data: data ?? undefined,
  };
}

/** Returns a result, or why it can't be used. */
function resultOf(
  result: unknown,
  { text, problem, request }: Reading & { readonly request: McpRequest | undefined },
): JsonObject | string {
  const { resultType: type = null, ...members } = recordOf(result);
  const kind = type === null ? "complete" : type;
  const usual = { resultType: kind, ttlMs: 0, cacheScope: "private" };
  if (request?.method === "tools/list") {
    const broken = problem && brokenTools(problem);
    if (problem !== undefined && broken === undefined) return changeIn(problem);
    return { ...usual, tools: [], listed: readPage(result, broken) } satisfies Pick<ReadResults, "listed"> & JsonObject;
  }
  if (problem !== undefined) return changeIn(problem);
  if (request?.method === "initialize") {
    const { protocolVersion: version } = members;
    return { protocolVersion: typeof version === "string" ? version : assumedVersion, ...ofServer };
  }
  if (request?.method === "server/discover") {
    const { supportedVersions } = members;
    const versions = Array.isArray(supportedVersions) ? supportedVersions.filter((one) => typeof one === "string") : [];
    return { ...usual, supportedVersions: versions, ...ofServer };
  }
  if (request?.method !== "tools/call") return withoutMeta(result);
  if (kind !== "complete") return { ...withoutMeta(members), resultType: kind };
  const answer = readAnswer(members);
  const isStructured = answer.content.length === 0 && isSaid(members["structuredContent"]);
  if (!isStructured) return { ...usual, content: [], answer };
  const exact = parse(text, alsoStructured);
  if (exact.problem !== undefined) return changeIn(exact.problem);
  const content = [{ type: "text", text: JSON.stringify(members["structuredContent"]) }];
  return { ...usual, content: [], answer: { ...answer, content } };
}

/** What the specification takes as the version of a server that states none. */
const assumedVersion = "2025-03-26";

/** What a server says about itself, in the form that the client wants. Nothing of it is used. */
const ofServer = { capabilities: { tools: {} }, serverInfo: { name: "server", version: "0" } };

const isSaid = (value: unknown): boolean => value !== undefined && value !== null;

const withoutMeta = (result: unknown): JsonObject =>
  Object.fromEntries(Object.entries(recordOf(result)).filter(([name]) => name !== "_meta"));

/** Reads the result of a call, each part by itself. Parts that say nothing are left out. */
function readAnswer({ content, isError }: JsonObject): McpAnswer {
  const given = typeof content === "string" ? [content] : Array.isArray(content) ? content : [content];
  const parts = given.map((part: unknown) =>
    typeof part === "string" ? { type: "text", text: part } : recordOf(part),
  );
  return { content: parts.flatMap(partOf), isError: isError === true || isError === "true" };
}

function partOf(part: JsonObject): McpPart[] {
  const { type = "text", text } = part;
  if (typeof type !== "string") return [];
  if (type !== "text") return [{ ...part, type }];
  const said = typeof text === "string" ? text : isSaid(text) ? JSON.stringify(text) : "";
  return said.trim() === "" ? [] : [{ type, text: said }];
}

/** Numbers that are not passed on, in structured content that only repeats the content, or in a schema, such as the largest 64-bit integer. */
const unusedByUs = /^(?!\/result\/(content|inputRequests)(\/|$))/;
const alsoStructured = /^(?!\/result\/(content|inputRequests|structuredContent)(\/|$))/;

/** Returns the value of a text, undefined if it is not JSON, and what of it would change. */
function parse(text: string, freeNumbers = unusedByUs): { readonly value: unknown; readonly problem?: JsonTextError } {
  try {
    return { value: parseExactJson(text, { maxDepth: 256, freeNumbers }) };
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    // A deep schema loses its tool only.
    if (error.kind === "too_deep") return { value: plainJson(text) };
    return error.kind === "not_json" ? { value: undefined } : { value: error.value, problem: error };
  }
}

const changeIn = ({ message }: JsonTextError): string => `${itsAnswer} ${message.slice(0, 300)}`;

/** The most problems that a `JsonTextError` names: there may be more. */
const mostProblems = 20;

/** Returns what is wrong with the JSON of single tools, by their places; undefined when more than single tools is concerned. */
function brokenTools({ problems }: JsonTextError): ReadonlyMap<number, string> | undefined {
  const found = problems.map(({ pointer, message }) => {
    const [, at, where = ""] = /^\/result\/tools\/(\d+)(\/.*)$/s.exec(pointer) ?? [];
    return [
      at === undefined ? Number.NaN : Number(at),
      visibleLine(`${where} ${message}`).slice(0, 100).toWellFormed(),
    ] as const;
  });
  if (problems.length >= mostProblems || found.some(([at]) => Number.isNaN(at))) return undefined;
  return new Map(found);
}

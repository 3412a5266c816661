import type { MadeFile, ToolResult } from "../tools/assistant-tool.ts";

/** A server's answer to a call. https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result */
export interface McpAnswer {
  readonly content?: readonly Part[];
  readonly isError?: boolean | undefined;
  /** Replaces `content` in servers of 2024-10-07. */
  readonly toolResult?: unknown;
}

interface Part {
  readonly type: string;
  readonly [member: string]: unknown;
}

/**
 * Converts a server's answer to text for the model and files for the person. The text names parts that can't be shown.
 */
export function mcpResultOf({ content, isError = false, toolResult = "" }: McpAnswer): ToolResult {
  const files: MadeFile[] = [];
  const parts = content ?? [{ type: "text", text: JSON.stringify(toolResult) }];
  const texts = parts.map((part) => {
    const file = fileIn(part, files.length + 1);
    if (file === undefined) return textOf(part);
    files.push(file);
    return `(Attached to your answer: ${file.name})`;
  });
  const text = texts.join("\n\n");
  return { text: text === "" ? "(The answer is empty.)" : text, files, ...(isError && { failed: true }) };
}

interface Resource {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

/** Images, audio and resources in bytes become files. */
function fileIn(part: Part, number: number): MadeFile | undefined {
  if (part.type === "resource") {
    const { uri, mimeType, blob } = part["resource"] as Resource;
    if (blob === undefined) return undefined;
    return fileOf(blob, mimeType, uri.split(/[?#]/, 1)[0]?.split("/").at(-1) || `file-${number}`);
  }
  const { data, mimeType } = part;
  if ((part.type !== "image" && part.type !== "audio") || typeof data !== "string") return undefined;
  const mediaType = typeof mimeType === "string" ? mimeType : undefined;
  const extension = /^\w+\/(\w+)/.exec(mediaType ?? "")?.[1] ?? "bin";
  return fileOf(data, mediaType, `${part.type}-${number}.${extension}`);
}

function fileOf(data: string, mediaType = "application/octet-stream", name: string): MadeFile {
  return { name, mediaType, bytes: Buffer.from(data, "base64") };
}

function textOf(part: Part): string {
  if (part.type === "text") return String(part["text"]);
  if (part.type === "resource_link") return `(A link, not fetched: ${String(part["name"])} ${String(part["uri"])})`;
  const { uri, text } = (part["resource"] ?? {}) as Partial<Resource>;
  if (text !== undefined) return `${uri}:\n${text}`;
  return `(A part of type ${JSON.stringify(part.type)} can't be shown.)`;
}

import { isObject } from "../a2a/check.ts";
import type { Part, WireMessage } from "../a2a/types.ts";
import type { Message, MessageFile } from "../handler.ts";

/** Returns a message as handlers see it. */
export function messageFor({ messageId, parts, metadata, ...ids }: WireMessage, caller: string): Message {
  const texts: string[] = [];
  const data: unknown[] = [];
  const files: MessageFile[] = [];
  for (const part of parts) {
    const more = texts.length > 0 ? parseObject(part.text) : undefined;
    if (more) data.push(more);
    else if (part.text !== undefined) texts.push(part.text);
    else if (part.raw === undefined && part.url === undefined) data.push(part.data);
    else files.push(fileOf(part));
  }
  return {
    messageId,
    text: texts.join("\n"),
    data,
    files,
    contextId: ids.contextId ?? "",
    taskId: ids.taskId ?? "",
    metadata: { ...metadata },
    caller,
  };
}

/** Crosszone sends the thread so far, and names of files, as JSON in a second text part. */
function parseObject(text: string | undefined): object | undefined {
  if (!text?.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const fileOf = ({ raw, url, filename, mediaType }: Part): MessageFile => ({
  ...(filename !== undefined && { name: filename }),
  ...(mediaType !== undefined && { mediaType }),
  ...(raw === undefined ? { url: url ?? "" } : { bytes: Buffer.from(raw, "base64") }),
});

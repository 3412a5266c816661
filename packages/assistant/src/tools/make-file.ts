import type { AssistantTool, MadeFile } from "./assistant-tool.ts";

/** The largest file that the model can write, bytes. */
const mostBytes = 1_000_000;

const mediaTypes: Readonly<Record<string, string>> = {
  csv: "text/csv",
  html: "text/html",
  json: "application/json",
  md: "text/markdown",
  svg: "image/svg+xml",
  txt: "text/plain",
  xml: "application/xml",
  yaml: "application/yaml",
};

/** The tool with which the model attaches a text file to its answer. */
export const makeFile: AssistantTool = {
  name: "make_file",
  title: "Write a file",
  description:
    "Attaches a text file (CSV, JSON, Markdown, HTML, SVG, plain text) to your answer. Use it when the person asks for a file, or when a table or text is too long for a message.",
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", description: "File name with its extension, for example report.csv" },
      content: { type: "string", description: "The whole content" },
    },
    required: ["name", "content"],
    additionalProperties: false,
  },
  sideEffects: false,
  trusted: true,
  run: async (input) => {
    const { name, content } = input as { readonly name?: unknown; readonly content?: unknown };
    if (typeof name !== "string" || name.trim() === "" || typeof content !== "string")
      return { text: "Not written: give a name and the content as texts.", failed: true };
    const bytes = new TextEncoder().encode(content);
    if (bytes.length > mostBytes) return { text: "Not written: the content is larger than 1 MB.", failed: true };
    return { text: `${name} is attached to your answer.`, files: [fileOf(name, bytes)] };
  },
};

function fileOf(name: string, bytes: Uint8Array): MadeFile {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return { name, mediaType: mediaTypes[extension] ?? "text/plain", bytes };
}

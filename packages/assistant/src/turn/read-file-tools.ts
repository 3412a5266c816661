import { type QuestionFile, readFiles } from "./question-files.ts";
import type { AssistantTool } from "../tools/assistant-tool.ts";

/** The longest file name that the model gets, characters. */
const longestName = 100;

/** Returns the tool with which the model reads a file of an earlier message, as text; none without such files. */
export function readFileTools(files: readonly QuestionFile[], mostCharacters: number): AssistantTool[] {
  const named = new Map<string, QuestionFile>();
  for (const file of files) {
    const name = file.name.slice(0, longestName).toWellFormed();
    named.set(named.has(name) ? `${name} (${named.size + 1})` : name, file);
  }
  if (named.size === 0) return [];
  return [
    {
      name: "read_file",
      title: "Read a file",
      description:
        "Reads a file of an earlier message of this conversation. Use it when the person's question is about that file.",
      inputSchema: {
        type: "object",
        properties: { name: { type: "string", enum: [...named.keys()] } },
        required: ["name"],
        additionalProperties: false,
      },
      sideEffects: false,
      trusted: false,
      onlyForModel: true,
      run: async (input, { signal }) => {
        const { name } = input as { readonly name?: unknown };
        const file = named.get(String(name));
        if (file === undefined) return { text: "Not read: there is no file with this name.", failed: true };
        const { parts, refused } = await readFiles([file], { signal, mostCharacters, isTextOnly: true });
        const [text] = parts.flatMap((part) => (part.type === "text" ? part.text : []));
        return text === undefined ? { text: `Not read: ${refused[0]?.why}`, failed: true } : { text };
      },
    },
  ];
}

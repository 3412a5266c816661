import { z } from "zod";
import type { SlackFile } from "./slack-api.ts";

const file = z.object({
  id: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  mimetype: z.string().optional().catch(undefined),
  size: z.int().nonnegative().optional().catch(undefined),
});

/** Reads the `files` of a message, without their URLs and without invalid entries. */
export function readFiles(files: unknown): SlackFile[] {
  if (!Array.isArray(files)) return [];
  return files.flatMap((raw: unknown) => {
    const { success, data } = file.safeParse(raw);
    if (!success) return [];
    const { id, name, mimetype, size } = data;
    return {
      ...(id !== undefined && { id }),
      ...(name !== undefined && { name }),
      ...(mimetype !== undefined && { mime_type: mimetype }),
      ...(size !== undefined && { size }),
    };
  });
}

import type { PostedFile } from "../../protocol/control-api.ts";
import { h, icon } from "../frame/element.ts";

/** A file to send with a message, its bytes in base64, or a pasted table. */
export type Attachment = PostedFile | { name: string; rows: string[][] };

const largestBytes = 1_000_000;

/** Reads a selected file; rejects with an `Error` if it is larger than 1 MB. */
async function readAttachment(file: File): Promise<PostedFile> {
  if (file.size > largestBytes) throw new Error(`${file.name} is larger than 1 MB.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mimetype = file.type || "application/octet-stream";
  return { name: file.name, mimetype, content: bytes.toBase64(), encoding: "base64" };
}

/** The files to send with a message: a paper clip selects them, and chips remove them. */
export interface AttachmentTray {
  clip: HTMLElement;
  chips: HTMLElement;
  files: readonly Attachment[];
}

/** Makes a tray. `changed` is called after each change, with an error message if a file could not be read. */
export function createAttachmentTray(testId: string, changed: (problem: string) => void): AttachmentTray {
  let files: readonly Attachment[] = [];
  const picker = h("input", { type: "file", multiple: true, "data-testid": testId, "aria-label": "Attach files" });
  const chips = h("ul", { class: "attachments", "aria-label": "Attached files" });

  const show = (next: readonly Attachment[]): void => {
    files = next;
    chips.replaceChildren(...files.map((file) => drawChip(file, () => take(file))));
  };
  const take = (file: Attachment): void => {
    show(files.filter((one) => one !== file));
    changed("");
  };
  const add = async (): Promise<void> => {
    const read = await Promise.allSettled([...(picker.files ?? [])].map(readAttachment));
    picker.value = "";
    show([...files, ...read.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []))]);
    const refused = read.find((one) => one.status === "rejected");
    changed(refused ? (refused.reason as Error).message : "");
  };
  picker.addEventListener("change", () => void add());

  return {
    clip: h("label", { class: "attach", title: "Attach files" }, icon("attach"), picker),
    chips,
    get files() {
      return files;
    },
    set files(next) {
      show(next);
    },
  };
}

function drawChip(file: Attachment, take: () => void): HTMLElement {
  const button = h("button", { type: "button", "aria-label": `Remove ${file.name}`, onclick: take }, icon("close"));
  return h("li", {}, icon("rows" in file ? "table" : "file"), file.name, button);
}

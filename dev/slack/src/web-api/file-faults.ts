import type { Response } from "express";
import type { FileFault } from "../protocol/faults.ts";

/** The page that Slack shows, with status 200, to clients that cannot read a file. */
const LOGIN_PAGE: string =
  "<!DOCTYPE html><html><head><title>Slack</title></head><body>Sign in to your workspace</body></html>";

export function sendLoginPage(response: Response): void {
  response.type("text/html").set("content-security-policy", "sandbox").send(LOGIN_PAGE);
}

interface File {
  mimetype: string;
  bytes: Buffer;
}
type Answer = (response: Response, file: File) => void;

const HUGE = 10_000_000_000;
const PNG = Buffer.from("89504e470d0a1a0a0000000d494844520000000100000001", "hex");

const ANSWERS: Record<FileFault["kind"], Answer> = {
  redirect: (response) => response.redirect(302, "https://files.example.com/elsewhere"),
  sign_in_page: (response) => sendLoginPage(response),
  disguised_page: (response, { mimetype }) => void response.type(mimetype).send(LOGIN_PAGE),
  other_type: (response, { mimetype }) => {
    const isPicture = mimetype.startsWith("image/");
    response.type(mimetype).send(isPicture ? Buffer.from("this is not a picture") : PNG);
  },
  short_length: (response, { mimetype, bytes }) => {
    response.writeHead(200, { "content-type": mimetype, "content-length": 1 });
    response.flushHeaders();
    // Bypasses Node, which would refuse to write more than the announced length.
    response.socket?.end(bytes);
  },
  long_length: (response, { mimetype, bytes }) => {
    response.writeHead(200, { "content-type": mimetype, "content-length": bytes.length + 1_000 });
    response.write(bytes, () => response.destroy());
  },
  drip: (response, { mimetype }) => {
    response.writeHead(200, { "content-type": mimetype });
    const timer = setInterval(() => response.write("x"), 20);
    response.on("close", () => clearInterval(timer));
  },
  huge: (response, { mimetype }) => {
    response.writeHead(200, { "content-type": mimetype, "content-length": HUGE });
    pour(response);
  },
  endless: (response, { mimetype }) => {
    response.writeHead(200, { "content-type": mimetype });
    pour(response);
  },
};

/** All kinds of download faults. */
export const FILE_FAULT_KINDS: readonly FileFault["kind"][] = Object.keys(ANSWERS) as FileFault["kind"][];

/** Stores faults for future downloads. */
export interface FileFaults {
  add(fault: FileFault): void;
  /** Returns the fault of this download, if any; each download uses up one of its `times`. */
  next(): { kind: FileFault["kind"]; answer: Answer } | undefined;
}

export function createFileFaults(): FileFaults {
  const waiting: FileFault["kind"][] = [];
  return {
    add: ({ kind, times = 1 }) => void waiting.push(...Array.from({ length: times }, () => kind)),
    next: () => {
      const kind = waiting.shift();
      return kind && { kind, answer: ANSWERS[kind] };
    },
  };
}

/** Writes as fast as the reader reads, up to ten gigabytes. */
function pour(response: Response): void {
  const chunk = Buffer.alloc(65_536, "x");
  let left = HUGE;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length;
      if (!response.write(chunk)) {
        response.once("drain", more);
        return;
      }
    }
  };
  more();
}

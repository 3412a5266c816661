import type { Attachment, ThreadMessage } from "@crosszone/contracts";
import { withTimeout } from "@crosszone/service-kit/timing";
import type { Question } from "../../inbox/records.ts";
import type { Limits } from "../../limits.ts";
import type { AccessPolicy } from "../../policy/access-policy.ts";
import { type FileRefusal, fileRefusals } from "../../slack/file-refusals.ts";
import { isAllowedType, mediaTypeOf } from "../../slack/files/check-file.ts";
import { asCarried } from "../../slack/files/read-file.ts";
import type { SlackApi, SlackFile } from "../../slack/slack-api.ts";

/** The files of a task. */
export interface TaskFiles {
  /** What the task can read, or why it can't: the files of the question, then those of the thread. */
  readonly attachments: readonly Attachment[];
  /** The messages of the thread, with all their files. */
  readonly thread: readonly ThreadMessage[];
}

export interface TaskFilesDeps {
  readonly slack: Pick<SlackApi, "fileInfo">;
  readonly policy: Pick<AccessPolicy, "file_types">;
  readonly limits: Pick<Limits, "MAX_FILE">;
  /** Timeout of the lookups, milliseconds. Files that are not described by then are named by their id. */
  readonly timeoutMs: number;
  /** Called when a lookup failed, or the timeout expired. */
  readonly onFailure: (error: unknown) => void;
}

/** Most files of the thread that a task can read, and how many of them are of its first message. */
const mostOfThread = 10;
const mostOfRoot = 5;

/** A file with the message that it came with. */
interface SentFile {
  readonly file: SlackFile;
  readonly by: Pick<ThreadMessage, "user" | "name">;
}

/**
 * Decides which files a task can read: those of its question, of the thread's first message, and of the newest messages. Files that the
 * requester did not add are marked as content of others.
 */
export async function taskFiles(
  deps: TaskFilesDeps,
  record: Question,
  history: { readonly messages: readonly ThreadMessage[]; readonly files: readonly SlackFile[] },
): Promise<TaskFiles> {
  const asked = history.files.map((file): SentFile => ({ file, by: { user: record.user_id } }));
  const [root = [], ...replies] = history.messages.map((by) =>
    (by.files ?? []).map((file): SentFile => ({ file, by })),
  );
  const newest = [root, ...replies].toReversed().flat();
  const known = new Set(asked.map(({ file }) => file.id));
  const ofThread = [...root.slice(0, mostOfRoot), ...newest].filter(({ file: { id } }) => {
    if (id === undefined || known.has(id)) return false;
    return known.add(id);
  });
  const chosen = [...asked, ...ofThread.slice(0, mostOfThread)];
  const looked = await lookUpStubs(deps, chosen);
  // Without the content, unless the message has it as text, and without the URL.
  const describe = ({ file, by }: SentFile): Attachment => {
    const described = looked.get(file.id) ?? file;
    const { id, name, mime_type, size, text, user = by.user, refusal = refusalBy(deps, described) } = described;
    const others = described.others === true || user !== record.user_id;
    return {
      id,
      name,
      mime_type,
      size,
      text,
      ...(others && { others, author: described.author ?? (user === by.user ? by.name : undefined) }),
      ...(refusal !== undefined && { unreadable: fileRefusals[refusal].message }),
    };
  };
  const thread = history.messages.map((by): ThreadMessage => {
    const files = by.files?.map((file) => ({ ...describe({ file, by }), text: undefined }));
    return { ...by, files };
  });
  return { attachments: chosen.map(describe), thread };
}

/** Asks Slack for the files that it did not describe in their messages. Returns them by id. */
async function lookUpStubs(
  { slack, timeoutMs, onFailure }: TaskFilesDeps,
  files: readonly SentFile[],
): Promise<ReadonlyMap<string | undefined, SlackFile>> {
  const found = new Map<string | undefined, SlackFile>();
  const stubs = files.flatMap(({ file: { id, is_stub } }) => (is_stub === true && id !== undefined ? id : []));
  const lookUp = (id: string): Promise<unknown> =>
    slack.fileInfo(id).then((file) => found.set(id, asCarried(file)), onFailure);
  if (stubs.length > 0) await withTimeout(timeoutMs, () => Promise.all(stubs.map(lookUp))).catch(onFailure);
  return found;
}

function refusalBy({ policy, limits }: TaskFilesDeps, { mime_type, size = 0 }: SlackFile): FileRefusal | undefined {
  if (size > limits.MAX_FILE) return "too_large";
  const isAllowed = mime_type === undefined || isAllowedType(mediaTypeOf(mime_type), policy.file_types);
  return isAllowed ? undefined : "type_not_allowed";
}

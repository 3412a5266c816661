import { setTimeout } from "node:timers/promises";
import type { Logger as SlackLogger } from "@slack/bolt";
import type { ChatPostMessageArguments, ChatStartStreamArguments, WebClient } from "@slack/web-api";
import { readFileInfo } from "./files/read-file.ts";
import type { MessagePlace, SlackApi, SlackIdentity, StreamChunk } from "./slack-api.ts";
import { readCallError, SlackCallError } from "./slack-call-error.ts";
import { type BotToken, type CallSlack, createTokenClients, type SlackClients } from "./token-clients.ts";
import { blocksBelow, contentOf, markType, orMissing, readChannel, readReplies, readUser } from "./web-methods.ts";

interface WebApiOptions {
  readonly token: BotToken;
  /** URL of the Web API, with a slash at the end. */
  readonly apiUrl: string;
  readonly logger: SlackLogger;
  /** Overrides `slackCallMs`. */
  readonly timeoutMs?: number;
  /** How long Slack may take to share an uploaded file, about, milliseconds. */
  readonly sharingMs?: number;
}

/** Timeout of one attempt of a Slack call, milliseconds. Until then the call can still take effect. */
export const slackCallMs = 10_000;

/**
 * Makes Slack's Web API with its own client. The client retries read calls three times within seconds, but not calls that change something.
 * It does not wait out rate limits, which would delay all its other calls; that is up to the caller.
 */
export function createWebApi(options: WebApiOptions): SlackApi {
  const { token, apiUrl, logger, timeoutMs = slackCallMs, sharingMs = 8_000 } = options;
  const calling = createTokenClients(token, {
    slackApiUrl: apiUrl,
    allowAbsoluteUrls: false,
    timeout: timeoutMs,
    logger,
    rejectRateLimitedCalls: true,
  });

  return {
    identity: () => calling("auth.test", async ({ client }) => toIdentity(await client.auth.test())),

    appOf: ({ bot_id, team_id }) =>
      calling("bots.info", async ({ client }) => {
        const app = (await client.bots.info({ bot: bot_id, team_id })).bot?.app_id;
        if (app === undefined) throw new SlackCallError("bots.info", { failure: "refused", code: "no_app_id" });
        return app;
      }),

    ...messageMethods(calling, sharingMs),
    ...streamMethods(calling),
    ...modalMethods(calling),

    replies: (query) =>
      calling(query.thread_ts === undefined ? "conversations.history" : "conversations.replies", ({ client }) =>
        readReplies(client, query),
      ),

    // An organization's token requires the team id.
    conversations: (query) =>
      calling("users.conversations", async ({ client }) => {
        const page = await client.users.conversations({ ...query, exclude_archived: true, limit: 200 });
        return toIdPage(page.channels, page);
      }),

    teams: (cursor) =>
      calling("auth.teams.list", async ({ client }) => {
        const page = await client.auth.teams.list({ cursor, limit: 1_000 });
        return toIdPage(page.teams, page);
      }),

    permalink: ({ channel, ts: message_ts }) =>
      calling("chat.getPermalink", async ({ client }) => {
        const { permalink } = await client.chat.getPermalink({ channel, message_ts });
        if (permalink === undefined)
          throw new SlackCallError("chat.getPermalink", { failure: "unavailable", code: "no_permalink" });
        return permalink;
      }),

    fileInfo: (file) =>
      calling("files.info", async ({ client }) => readFileInfo((await client.files.info({ file })).file)),

    setSessionStatus: ({ channel, thread_ts }, status) =>
      doing(calling, "agents.sessions.setStatus", ({ once }) =>
        once.agents.sessions.setStatus({ channel_id: channel, thread_ts, status }),
      ),

    team: (id) =>
      orMissing(
        calling("team.info", async ({ client }) => {
          await client.team.info({ team: id });
          return { id };
        }),
      ),

    user: (id) =>
      orMissing(calling("users.info", async ({ client }) => readUser((await client.users.info({ user: id })).user))),

    channel: (id) =>
      orMissing(
        calling("conversations.info", async ({ client }) =>
          readChannel((await client.conversations.info({ channel: id })).channel),
        ),
      ),
  };
}

const toIdPage = (
  found: readonly { readonly id?: string }[] = [],
  { response_metadata }: { readonly response_metadata?: { readonly next_cursor?: string } },
) => ({ ids: found.flatMap(({ id }) => id ?? []), next_cursor: response_metadata?.next_cursor || undefined });

/** Makes a call whose answer says nothing more. */
async function doing(
  calling: CallSlack,
  method: string,
  call: (clients: SlackClients) => Promise<unknown>,
): Promise<void> {
  await calling(method, call);
}

/** Makes the methods that post into conversations. They never retry. */
function messageMethods(calling: CallSlack, sharingMs: number) {
  return {
    post: ({ channel, thread_ts }, message) =>
      calling("chat.postMessage", async ({ once }) => {
        const content: ChatPostMessageArguments = {
          channel,
          thread_ts,
          unfurl_links: false,
          unfurl_media: false,
          ...contentOf(message),
        };
        const { ts, message: posted } = await once.chat.postMessage(content);
        if (ts === undefined) throw new SlackCallError("chat.postMessage", { failure: "unavailable", code: "no_ts" });
        // Slack posts a reply to a message that is gone at the root of the conversation, for everybody.
        const isElsewhere = thread_ts !== undefined && posted !== undefined && posted.thread_ts !== thread_ts;
        if (isElsewhere) throw await takenBack(calling, { channel, ts });
        return { ts };
      }),

    update: ({ channel, ts }, content) =>
      doing(calling, "chat.update", ({ once }) =>
        once.chat.update({ channel, ts, ...contentOf(content, { isEdit: true }) }),
      ),

    remove: ({ channel, ts }) => doing(calling, "chat.delete", ({ once }) => once.chat.delete({ channel, ts })),

    upload: ({ channel, thread_ts }, { filename, content, altText: alt_text }) =>
      calling("files.completeUploadExternal", async ({ client, once }) => {
        // A file for a message that is gone would appear at the root of the conversation.
        if (thread_ts !== undefined)
          await client.chat.getPermalink({ channel, message_ts: thread_ts }).catch((error: unknown) => {
            if (readCallError("chat.getPermalink", error).code === "message_not_found") throw postedElsewhere();
          });
        const { files } = await once.filesUploadV2({
          ...(thread_ts === undefined ? { channel_id: channel } : { channel_id: channel, thread_ts }),
          ...(alt_text !== undefined && { alt_text }),
          filename,
          file:
            typeof content === "string"
              ? Buffer.from(content)
              : Buffer.from(content.buffer, content.byteOffset, content.byteLength),
          title: filename,
        });
        const [id] = files.flatMap((done) => done.files ?? []).flatMap((file) => file.id ?? []);
        if (id !== undefined && !(await isShared(client, { id, channel, sharingMs })))
          throw new SlackCallError("files.completeUploadExternal", { failure: "refused", code: "not_shared" });
      }),

    tell: ({ channel, thread_ts, in_thread, user_id: user }, text, blocks) =>
      doing(calling, "chat.postEphemeral", ({ once }) =>
        // Slack shows it in a thread only if the thread has replies.
        once.chat.postEphemeral({
          channel,
          user,
          text,
          thread_ts: in_thread ? thread_ts : undefined,
          ...(blocks !== undefined && { blocks: [...blocks] }),
        }),
      ),
  } satisfies Partial<SlackApi>;
}

/** Resolves with false if Slack, which shares a file after it has confirmed its upload, has not in time; with true if it does not say. */
async function isShared(
  client: WebClient,
  { id: file, channel, sharingMs }: { readonly id: string; readonly channel: string; readonly sharingMs: number },
): Promise<boolean> {
  for (const part of [0, 32, 16, 8, 4, 2]) {
    if (part > 0) await setTimeout(sharingMs / part);
    const reading = client.files.info({ file }).then((info) => readFileInfo(info.file));
    const found = await reading.catch(() => undefined);
    if (found === undefined || found.shared_in.includes(channel)) return true;
  }
  return false;
}

/** Attempts to delete what everybody sees. */
const deletions = 5;

/** Deletes a message that landed outside its thread. Resolves with the error of its post; with a cause, the message is still there. */
async function takenBack(calling: CallSlack, place: MessagePlace, tries = 1): Promise<SlackCallError> {
  try {
    await calling("chat.delete", ({ client }) => client.chat.delete({ ...place }));
    return postedElsewhere();
  } catch (error) {
    const { failure, code, retryAfterMs = 1_000 } = error as SlackCallError;
    if (failure === "refused" || tries === deletions)
      return postedElsewhere(code === "message_not_found" ? undefined : error);
    await setTimeout(retryAfterMs);
    return takenBack(calling, place, tries + 1);
  }
}

const postedElsewhere = (cause?: unknown): SlackCallError =>
  new SlackCallError("chat.postMessage", { failure: "refused", code: "posted_elsewhere", cause });

function toIdentity(answer: Awaited<ReturnType<WebClient["auth"]["test"]>>): SlackIdentity {
  const { team_id, enterprise_id, is_enterprise_install, user_id, bot_id } = answer;
  if (team_id === undefined || user_id === undefined || bot_id === undefined)
    throw new SlackCallError("auth.test", { failure: "refused", code: "not_a_bot_token" });
  const org_id = is_enterprise_install ? enterprise_id : undefined;
  return { team_id, org_id, bot_user_id: user_id, bot_id, enterprise_id };
}

/**
 * Makes the methods of streamed messages, which never retry. They always send chunks, because Slack refuses to change a stream's mode.
 * https://docs.slack.dev/reference/methods/chat.startStream
 */
function streamMethods(calling: CallSlack) {
  return {
    startStream: ({ channel, thread_ts }, { chunks, recipient }) =>
      calling("chat.startStream", async ({ streaming }) => {
        const { ts } = await streaming.chat.startStream({
          channel,
          thread_ts,
          task_display_mode: "plan",
          chunks: listed(chunks),
          recipient_user_id: recipient?.user_id,
          recipient_team_id: recipient?.team_id,
        });
        if (ts === undefined) throw new SlackCallError("chat.startStream", { failure: "unavailable", code: "no_ts" });
        return { ts };
      }),

    appendStream: ({ channel, ts }, chunks) =>
      doing(calling, "chat.appendStream", ({ streaming }) =>
        streaming.chat.appendStream({ channel, ts, chunks: listed(chunks) }),
      ),

    stopStream: ({ channel, ts }, { mark, session_status, chunks = [], ...content }) =>
      calling("chat.stopStream", async ({ streaming }) => {
        const below = blocksBelow(content);
        await streaming.chat.stopStream({
          channel,
          ts,
          session_status,
          metadata: { event_type: markType, event_payload: { ...mark } },
          chunks: chunks.length > 0 ? listed(chunks) : undefined,
          blocks: below.length > 0 ? below : undefined,
        });
      }),
  } satisfies Partial<SlackApi>;
}

/** Makes the methods for modals and the Home tab, which never retry, and for finding the people who decide. */
function modalMethods(calling: CallSlack) {
  return {
    openDirect: (users) =>
      calling("conversations.open", async ({ client }) => {
        const id = (await client.conversations.open({ users })).channel?.id;
        if (id === undefined)
          throw new SlackCallError("conversations.open", { failure: "unavailable", code: "no_channel" });
        return id;
      }),

    groupMembers: (usergroup, team_id) =>
      calling("usergroups.users.list", async ({ client }) => {
        const { users = [] } = await client.usergroups.users.list({ usergroup, team_id });
        return users;
      }),

    groupHandles: (team_id) =>
      calling("usergroups.list", async ({ client }) => {
        const { usergroups = [] } = await client.usergroups.list({ team_id });
        return new Map(usergroups.flatMap(({ id, handle }) => (id && handle ? [[id, handle] as const] : [])));
      }).catch((error: unknown) => {
        if (error instanceof SlackCallError && error.failure === "refused") return undefined;
        throw error;
      }),

    openModal: (trigger_id, view) => doing(calling, "views.open", ({ once }) => once.views.open({ trigger_id, view })),

    updateModal: (view_id, view) => doing(calling, "views.update", ({ once }) => once.views.update({ view_id, view })),

    publishHome: (user_id, view) =>
      doing(calling, "views.publish", ({ once }) => once.views.publish({ user_id, view })),
  } satisfies Partial<SlackApi>;
}

function listed(chunks: readonly StreamChunk[]): NonNullable<ChatStartStreamArguments["chunks"]> {
  return chunks.map((chunk) => ({ ...chunk }));
}

import { openAnsweredThread } from "./compose/composer.ts";
import { mountActingUser, mountSidebar, rememberedUser } from "./frame/sidebar.ts";
import { mountConnect } from "./frame/connect.ts";
import { mountConnection, mountNavigation, mountOutage } from "./frame/frame.ts";
import { drawStaticIcons } from "./frame/element.ts";
import { mountHome } from "./messages/home-tab.ts";
import { mountConversation } from "./messages/status-line.ts";
import { mountThreadPane } from "./messages/thread-pane.ts";
import { mountModals } from "./modals/modals.ts";
import { controlApi, startLiveUpdates } from "./state/live-updates.ts";
import { createStore, type PageState } from "./state/page-state.ts";
import { mountTraffic } from "./traffic/traffic-panel.ts";

/**
 * The page of the local Slack. Starts all parts, which share only the state (`page-state.ts`).
 *
 * Hooks for browser tests (`data-testid`), which must stay stable:
 *
 * | hook | what it is |
 * |---|---|
 * | `composer`, `send`, `attach` | the field, the button and the file input of the conversation |
 * | `thread-composer`, `thread-send`, `thread-attach` | the same in the thread pane |
 * | `message` | a root message, with `data-ts`, `data-bot` (`true`, `false`) and, for a bot, `data-state` (`working`, `done`, `failed`,
 * `text`); a streamed one has `data-stream` (`in_progress`, `completed`, `stopped`, `expired`) |
 * | `organization` | the organization that the author of a message is from, if it is not the reader's |
 * | `task` | a task card, with `data-status` (`pending`, `in_progress`, `complete`, `error`); `plan` contains those of a plan |
 * | `thread-pane`, `thread-close`, `stop` | the pane, its close link, and the Stop button (hidden when nothing runs), which ends the
 * thread's streams |
 * | `thread-message` | a message in the pane, with the same `data-*` |
 * | `reply-count` | the link below a root message that opens its thread |
 * | `conversation` | a link of the sidebar, with `data-channel` |
 * | `more-actions` | the menu of a message, whose values are `forward`, `link`, `edit`, `delete`, `shortcut <callback_id>`, `react` and the names of reactions |
 * | `edit` | the field in place of a message |
 * | `reaction` | the field for the name of another reaction |
 * | `reaction-<name>` | a reaction below a message |
 * | `outage` | the selector of what the app can reach, with the kinds of an outage as its values |
 * | `deactivate` | the button that deactivates the acting user, or reactivates them |
 * | `forwarded` | the message that the next one forwards |
 * | `conversations` | on a narrow page, the button that opens the sidebar |
 * | `act-as` | the selector of the acting user (values are user ids) |
 * | `messages-tab`, `traffic-tab`, `connect-tab` | the views; the last only when `./crosszone dev` has written a guide |
 * | `guide` | the sections of Connect, each with lines to copy |
 * | `traffic-group` | a question with its entries; its `traffic-group-line` opens it, the newest one is open |
 * | `traffic-row` | an entry, with `data-kind` and `data-status`; its `traffic-line` opens it |
 * | `traffic-filter` | with `data-kind` (`all`, `event`, `web_api`, `rpc`, `agent`) |
 * | `control-<action_id>` | a button, a menu or a field of a block; one of several choices ends with its value |
 * | `act-warning` | why the app did not take what a person did, in a message or a modal |
 * | `add-app` | in a conversation without the app: the button that adds it |
 * | `home-tab`, `home` | in the conversation with the app: the link to its Home tab, and what that shows |
 * | `modal` | the top modal, with `modal-submit`, `modal-close`, and for each `input` its `input-error` |
 * | `confirm` | the question before an action |
 * | `welcome`, `example` | the empty state and its example messages |
 * | `connection` | with `data-connection` (`connecting`, `live`, `lost`) |
 */

drawStaticIcons();
const workspace = await controlApi.workspace();
const store = createStore<PageState>({
  workspace,
  user: rememberedUser(workspace.users),
  place: { view: "traffic" },
  lastChannel: "",
  messages: new Map(),
  unread: new Set(),
  statuses: new Map(),
  views: new Map(),
  homes: new Map(),
  outage: { kind: "none" },
  traffic: [],
  connection: "connecting",
  awaiting: undefined,
  forwarded: undefined,
});
mountNavigation(store);
mountActingUser(store);
mountSidebar(store);
mountConversation(store);
mountHome(store);
mountThreadPane(store);
mountModals(store);
mountTraffic(store);
mountConnect(store);
mountConnection(store);
mountOutage(store);
openAnsweredThread(store);
startLiveUpdates(store);

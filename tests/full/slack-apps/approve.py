"""Asks "Deploy?" in a message; its button opens a modal, whose submission is written into the message."""

import json
import os

from slack_bolt import App
from slack_sdk import WebClient

client = WebClient(token=os.environ["SLACK_BOT_TOKEN"], base_url=os.environ["SLACK_API_URL"])
app = App(client=client, signing_secret=os.environ["SLACK_SIGNING_SECRET"])


def plain(text):
    return {"type": "plain_text", "text": text}


@app.message("deploy")
def ask(say):
    button = {"type": "button", "action_id": "decide", "text": plain("Decide"), "value": "v1"}
    owners = {"type": "static_select", "action_id": "owner", "options": [{"text": plain("Bob"), "value": "o1"}]}
    say(text="Deploy?", blocks=[{"type": "actions", "elements": [button, owners]}])


@app.action("owner")
def note(ack, respond, action):
    ack()
    respond(text="Owner noted: " + action["selected_option"]["value"], replace_original=False)


@app.action("decide")
def decide(ack, body, client):
    ack()
    place = {"channel": body["channel"]["id"], "ts": body["message"]["ts"], "value": body["actions"][0]["value"]}
    reason = {"type": "plain_text_input", "action_id": "text"}
    client.views_open(
        trigger_id=body["trigger_id"],
        view={
            "type": "modal",
            "callback_id": "decision",
            "private_metadata": json.dumps(place),
            "title": plain("Decide"),
            "submit": plain("Send"),
            "blocks": [{"type": "input", "block_id": "why", "label": plain("Why?"), "element": reason}],
        },
    )


@app.view("decision")
def decided(ack, view, body, client):
    why = view["state"]["values"]["why"]["text"]["value"]
    if why == "no":
        ack(response_action="errors", errors={"why": "Say more."})
        return
    ack()
    place = json.loads(view["private_metadata"])
    text = f"{place['value']} approved by <@{body['user']['id']}>: {why}"
    client.chat_update(channel=place["channel"], ts=place["ts"], text=text, blocks=[])


app.start(port=int(os.environ["PORT"]), path="/slack/events")

/** The promises about Slack as people use it (W), by id. */
export const slackRequirements = {
  W1: "an answer arrives in some form whatever Slack refuses of it; text on screen is never replaced by an apology",
  W2: "words in blocks and attachments are read, live and in history, as content of others where others wrote them",
  W3: "a deleted question is stopped, and nothing is posted outside the thread that was asked",
  W4: "an edit never runs an answered question again, however old it is",
  W5: "code is sent byte for byte",
  W6: "files of the thread are named, and readable where the task may read them",
  W7: "a thread follows whom the policy says, and people can tell it to be quiet",
  W8: "quotations and code do not ask",
  W9: "people, groups and channels have names in both directions, without a notification",
  W10: "long tables keep their header, and a stream never stands still",
  W11: "what phones and input methods type is read as it was meant",
  W12: "transcripts and plain texts of files are read, and a refusal says the true reason",
  W13: "a mention alone in a thread asks about the thread, and a refusal that concerns the place reaches the person",
  W14: "every surface names the requester, the approvers and the deadline of an approval once each",
  W15: "App Home shows whom a person can ask, what waits for the person, and what the person asked for",
  W16: "roles come from OIDC claims; no claim, no entry; each reading of content is an event",
} as const;

package agent

import (
	"fmt"
	"strings"
)

// sendParams is what SendMessage and SendStreamingMessage of A2A 1.0 are sent, validated.
type sendParams struct {
	message object
	// atOnce: respond at once instead of when the task has ended or asks a question.
	atOnce bool
	// history is the most messages of the response's history, or -1 for all.
	history int
}

func readSendParams(params object, modes []string) (sendParams, error) {
	message, err := readWireMessage(params)
	if err != nil {
		return sendParams{}, err
	}
	configuration, err := optionalObject(params, "configuration", "")
	if err != nil {
		return sendParams{}, err
	}
	atOnce, _, err := optionalFlag(configuration, "returnImmediately", "configuration.")
	if err != nil {
		return sendParams{}, err
	}
	history, err := optionalCount(configuration, "configuration.historyLength", anyCount)
	if err != nil {
		return sendParams{}, err
	}
	if configuration["taskPushNotificationConfig"] != nil {
		return sendParams{}, pushNotSupported()
	}
	for _, part := range message["parts"].([]object) {
		if err := checkMode(part, modes); err != nil {
			return sendParams{}, err
		}
	}
	return sendParams{message, atOnce, history}, nil
}

func readWireMessage(params object) (object, error) {
	message, err := asObject(params["message"], "message")
	if err != nil {
		return nil, err
	}
	id, err := requiredText(message, "messageId", "message.")
	if err != nil {
		return nil, err
	}
	list, err := requiredList(message, "parts", "message.")
	if err != nil {
		return nil, err
	}
	if message["role"] != "ROLE_USER" {
		return nil, invalidParams("message.role", "must be ROLE_USER")
	}
	parts := make([]object, len(list))
	for at, part := range list {
		if parts[at], err = readPart(part, fmt.Sprintf("message.parts[%d]", at)); err != nil {
			return nil, err
		}
	}
	known := object{"messageId": id, "role": "ROLE_USER", "parts": parts}
	if err := copyTexts(known, message, "message.", "taskId", "contextId"); err != nil {
		return nil, err
	}
	return known, copyMetadata(known, message, "message.")
}

func readPart(value any, field string) (object, error) {
	part, err := asObject(value, field)
	if err != nil {
		return nil, err
	}
	kind, err := exactlyOne(part, []string{"text", "raw", "url", "data"}, field)
	if err != nil {
		return nil, err
	}
	text, isText := part[kind].(string)
	if kind != "data" && !isText {
		return nil, invalidParams(field+"."+kind, "must be a string")
	}
	if kind == "raw" {
		if err := checkBase64(text, field+".raw"); err != nil {
			return nil, err
		}
	}
	known := object{kind: part[kind]}
	if err := copyTexts(known, part, field+".", "mediaType", "filename"); err != nil {
		return nil, err
	}
	return known, copyMetadata(known, part, field+".")
}

func copyTexts(known, from object, path string, names ...string) error {
	for _, name := range names {
		text, err := optionalText(from, name, path)
		if err != nil {
			return err
		}
		if text != "" {
			known[name] = text
		}
	}
	return nil
}

func copyMetadata(known, from object, path string) error {
	metadata, err := optionalObject(from, "metadata", path)
	if len(metadata) > 0 {
		known["metadata"] = metadata
	}
	return err
}

// checkMode accepts text without a media type and data always: a person's words come as both.
func checkMode(part object, modes []string) error {
	mediaType, _ := part["mediaType"].(string)
	if _, isData := part["data"]; isData || (part["text"] != nil && mediaType == "") {
		return nil
	}
	if mediaType == "" {
		mediaType = "application/octet-stream"
	}
	mediaType, _, _ = strings.Cut(strings.ToLower(mediaType), ";")
	mediaType = strings.TrimSpace(mediaType)
	for _, mode := range modes {
		prefix, isRange := strings.CutSuffix(mode, "*")
		if mode == "*/*" || mode == mediaType || (isRange && strings.HasPrefix(mediaType, prefix)) {
			return nil
		}
	}
	return contentTypeNotSupported(mediaType)
}

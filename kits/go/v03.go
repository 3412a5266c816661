package agent

import (
	"encoding/json"
	"fmt"
	"maps"
)

// This file has A2A 0.3 in terms of 1.0: its parameters on the way in, its results on the way out.

// methodsV03 are the methods of 0.3 and their names in 1.0.
var methodsV03 = map[string]string{
	"message/send":                        "SendMessage",
	"message/stream":                      "SendStreamingMessage",
	"tasks/get":                           "GetTask",
	"tasks/cancel":                        "CancelTask",
	"tasks/resubscribe":                   "SubscribeToTask",
	"tasks/pushNotificationConfig/set":    "CreateTaskPushNotificationConfig",
	"tasks/pushNotificationConfig/get":    "GetTaskPushNotificationConfig",
	"tasks/pushNotificationConfig/list":   "ListTaskPushNotificationConfigs",
	"tasks/pushNotificationConfig/delete": "DeleteTaskPushNotificationConfig",
	"agent/getAuthenticatedExtendedCard":  "GetExtendedAgentCard",
}

func sendParamsToV1(params object) (object, error) {
	given, err := asObject(params["message"], "message")
	if err != nil {
		return nil, err
	}
	if kind := given["kind"]; kind != nil && kind != "message" {
		return nil, invalidParams("message.kind", `must be "message"`)
	}
	if given["role"] != "user" {
		return nil, invalidParams("message.role", `must be "user"`)
	}
	list, err := requiredList(given, "parts", "message.")
	if err != nil {
		return nil, err
	}
	parts := make([]any, len(list))
	for at, part := range list {
		if parts[at], err = partToV1(part, fmt.Sprintf("message.parts[%d]", at)); err != nil {
			return nil, err
		}
	}
	configuration, err := optionalObject(params, "configuration", "")
	if err != nil {
		return nil, err
	}
	blocking, isSaid, err := optionalFlag(configuration, "blocking", "configuration.")
	if err != nil {
		return nil, err
	}
	message := maps.Clone(given)
	message["role"], message["parts"] = "ROLE_USER", parts
	return object{"message": message, "configuration": object{
		"returnImmediately":          isSaid && !blocking,
		"historyLength":              configuration["historyLength"],
		"taskPushNotificationConfig": configuration["pushNotificationConfig"],
	}}, nil
}

func partToV1(value any, field string) (object, error) {
	part, err := asObject(value, field)
	if err != nil {
		return nil, err
	}
	switch part["kind"] {
	case "text":
		if _, ok := part["text"].(string); !ok {
			return nil, invalidParams(field+".text", "must be a string")
		}
		return object{"text": part["text"], "metadata": part["metadata"]}, nil
	case "data":
		data, err := asObject(part["data"], field+".data")
		return object{"data": data, "metadata": part["metadata"]}, err
	case "file":
		return filePartToV1(part, field)
	}
	return nil, invalidParams(field+".kind", "must be text, file or data")
}

func filePartToV1(part object, field string) (object, error) {
	file, err := asObject(part["file"], field+".file")
	if err != nil {
		return nil, err
	}
	content, err := exactlyOne(file, []string{"bytes", "uri"}, field+".file")
	name := map[string]string{"bytes": "raw", "uri": "url"}[content]
	return object{name: file[content], "mediaType": file["mimeType"], "filename": file["name"], "metadata": part["metadata"]}, err
}

// resultFromV1 returns a task, or an event of a stream, as 0.3 has it.
func resultFromV1(result object) object {
	if update, ok := result["statusUpdate"].(object); ok {
		status := statusFromV1(update["status"].(object))
		return with(update, object{"kind": "status-update", "status": status, "final": status["state"] != working})
	}
	if update, ok := result["artifactUpdate"].(object); ok {
		return with(update, object{"kind": "artifact-update", "artifact": withPartsFromV1(update["artifact"].(object))})
	}
	task, ok := result["task"].(object)
	if !ok {
		task = result
	}
	converted := with(task, object{"kind": "task", "status": statusFromV1(task["status"].(object))})
	if artifacts, ok := task["artifacts"].([]object); ok {
		converted["artifacts"] = each(artifacts, withPartsFromV1)
	}
	if history, ok := task["history"].([]object); ok {
		converted["history"] = each(history, messageFromV1)
	}
	return converted
}

func statusFromV1(status object) object {
	converted := with(status, object{"state": stateOf(status["state"])})
	if message, ok := status["message"].(object); ok {
		converted["message"] = messageFromV1(message)
	}
	return converted
}

func messageFromV1(message object) object {
	role := "agent"
	if message["role"] == "ROLE_USER" {
		role = "user"
	}
	return with(withPartsFromV1(message), object{"kind": "message", "role": role})
}

func withPartsFromV1(holder object) object {
	return with(holder, object{"parts": each(holder["parts"].([]object), partFromV1)})
}

func partFromV1(part object) object {
	converted := object{}
	if metadata, ok := part["metadata"]; ok {
		converted["metadata"] = metadata
	}
	if text, ok := part["text"]; ok {
		return with(converted, object{"kind": "text", "text": text})
	}
	if data, ok := part["data"]; ok {
		return with(converted, object{"kind": "data", "data": objectFromV1(data)})
	}
	file := object{}
	for from, to := range map[string]string{"raw": "bytes", "url": "uri", "mediaType": "mimeType", "filename": "name"} {
		if value, ok := part[from]; ok {
			file[to] = value
		}
	}
	return with(converted, object{"kind": "file", "file": file})
}

// objectFromV1 wraps a value that is not an object: 0.3 has no others.
func objectFromV1(data any) any {
	if raw, ok := data.(json.RawMessage); ok && raw[0] != '{' {
		return object{"value": raw}
	} else if ok {
		return raw
	}
	if _, ok := data.(object); ok {
		return data
	}
	return object{"value": data}
}

func with(holder, members object) object {
	result := maps.Clone(holder)
	maps.Copy(result, members)
	return result
}

func each(list []object, convert func(object) object) []object {
	result := make([]object, len(list))
	for at, element := range list {
		result[at] = convert(element)
	}
	return result
}

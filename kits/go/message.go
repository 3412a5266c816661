package agent

import (
	"encoding/json"
	"strings"
)

// File is a file of a message: its bytes, or a link to them.
type File struct {
	Name string
	// MediaType is for example image/png.
	MediaType string
	Bytes     []byte
	// URL is a link that the sender chose, and empty when there are bytes. Download it only if you trust the sender.
	URL string
}

// Message is a message of a person. All messages of one conversation have the same ContextID.
type Message struct {
	Text      string
	MessageID string
	ContextID string
	TaskID    string
	// Data holds the values of data parts, and of text parts after the first that are JSON objects, as Crosszone sends them.
	Data     []any
	Files    []File
	Metadata map[string]any
}

// readMessage reads a validated message of A2A 1.0.
func readMessage(message object) Message {
	result := Message{}
	result.MessageID, _ = message["messageId"].(string)
	result.ContextID, _ = message["contextId"].(string)
	result.TaskID, _ = message["taskId"].(string)
	result.Metadata, _ = message["metadata"].(object)
	texts := []string{}
	for _, part := range message["parts"].([]object) {
		if text, ok := part["text"].(string); ok {
			if value := objectOf(text); value != nil && len(texts) > 0 {
				result.Data = append(result.Data, value)
			} else {
				texts = append(texts, text)
			}
		} else if value, ok := part["data"]; ok {
			result.Data = append(result.Data, value)
		} else {
			result.Files = append(result.Files, fileOf(part))
		}
	}
	result.Text = strings.Join(texts, "\n")
	return result
}

func objectOf(text string) object {
	var value object
	if !strings.HasPrefix(text, "{") || json.Unmarshal([]byte(text), &value) != nil {
		return nil
	}
	return value
}

func fileOf(part object) File {
	file := File{}
	file.Name, _ = part["filename"].(string)
	file.MediaType, _ = part["mediaType"].(string)
	file.URL, _ = part["url"].(string)
	if raw, ok := part["raw"].(string); ok {
		file.Bytes, _ = decodeBase64(raw)
	}
	return file
}

package agent

import "strings"

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
	// Text is what the person wrote; then content of others, such as a forwarded message, each under a label.
	Text      string
	MessageID string
	ContextID string
	TaskID    string
	// Data holds the values of data parts.
	Data  []any
	Files []File
	// Metadata holds the other members of the input, such as those of a workflow step. "others" has the content of others,
	// without labels; "thread" has the earlier messages if the agent's send_thread is set.
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
			texts = append(texts, text)
		} else if value, ok := part["data"]; ok {
			result.Data = append(result.Data, value)
		} else {
			result.Files = append(result.Files, fileOf(part))
		}
	}
	result.Text = strings.Join(texts, "\n")
	return result
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

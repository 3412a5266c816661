package agent

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// Task is what a handler can do besides returning its answer. Once the task has ended or was canceled, its methods do nothing.
type Task struct {
	record *record
	made   int
}

// ID returns the id of the task.
func (t *Task) ID() string { return t.record.id }

// ContextID returns the id of the conversation.
func (t *Task) ContextID() string { return t.record.contextID }

// Progress shows what the agent is doing until the answer is there.
func (t *Task) Progress(text string) { t.record.progress(text) }

// Write streams a piece of the answer.
func (t *Task) Write(text string) { t.record.write(text) }

// File adds a file to the answer.
func (t *Task) File(name, mediaType string, content []byte) {
	raw := base64.StdEncoding.EncodeToString(content)
	t.add("file", name, object{"raw": raw, "mediaType": mediaType, "filename": name}, len(raw))
}

// Data adds a JSON value to the answer. It returns an error for a value that is not JSON.
func (t *Task) Data(value any) error {
	encoded, err := json.Marshal(value)
	if err == nil {
		t.add("data", "data", object{"data": json.RawMessage(encoded), "mediaType": "application/json"}, len(encoded))
	}
	return err
}

// Ask asks the person a question and waits for the next message. It returns an error when the task ends first.
func (t *Task) Ask(question string) (Message, error) {
	answer, err := t.record.ask(question)
	if err != nil {
		return Message{}, err
	}
	return readMessage(answer), nil
}

// Usage is what a language model used. Cost is in US dollars.
type Usage struct {
	InputTokens, OutputTokens, CachedInputTokens int
	Cost                                         float64
}

// Usage reports what a language model used. Several reports add up.
func (t *Task) Usage(used Usage) {
	t.record.mu.Lock()
	defer t.record.mu.Unlock()
	t.record.used.InputTokens += used.InputTokens
	t.record.used.OutputTokens += used.OutputTokens
	t.record.used.CachedInputTokens += used.CachedInputTokens
	t.record.used.Cost += used.Cost
	sum := object{"input_tokens": t.record.used.InputTokens, "output_tokens": t.record.used.OutputTokens}
	if t.record.used.CachedInputTokens > 0 {
		sum["cached_input_tokens"] = t.record.used.CachedInputTokens
	}
	if t.record.used.Cost > 0 {
		sum["cost"] = t.record.used.Cost
	}
	t.record.metadata = object{"usage": sum}
}

func (t *Task) add(kind, name string, part object, size int) {
	t.made++
	id := fmt.Sprintf("%s-%d", kind, t.made)
	t.record.addArtifact(object{"artifactId": id, "name": name, "parts": []object{part}}, size)
}

package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// maxAnswer is the size of the largest answer with its progress, in bytes.
const maxAnswer = 32 * 1024 * 1024

const (
	working       = "working"
	inputRequired = "input-required"
	completed     = "completed"
	failed        = "failed"
	canceled      = "canceled"
)

func isEnded(state string) bool { return state == completed || state == failed || state == canceled }

// changes counts changes of any task: the order of tasks that changed in the same millisecond. A change gets its number
// and its time while changing is locked, so that both have the same order.
var (
	changing sync.Mutex
	changes  int64
)

// record is one task: its state, its answer so far, and the events that streams send. What happens after the end has
// no effect.
type record struct {
	id, contextID, owner string
	ctx                  context.Context
	stop                 context.CancelFunc

	mu       sync.Mutex
	changed  chan struct{} // closed at the next change
	state    string
	since    time.Time // when it came into this state
	order    int64
	status   object
	metadata object
	used     Usage
	size     int // bytes of all that is kept
	produced int // bytes of what the handler made

	history   []object
	artifacts []object
	pieces    strings.Builder // text of the artifact "answer"
	unsent    strings.Builder // the part of it that no stream has sent yet
	log       *eventLog
	answer    object // the person's answer to a question
}

func newRecord(message object, size int, owner string) *record {
	contextID, _ := message["contextId"].(string)
	if contextID == "" {
		contextID = newID()
	}
	ctx, stop := context.WithCancel(context.Background())
	r := &record{id: newID(), contextID: contextID, owner: owner, ctx: ctx, stop: stop, changed: make(chan struct{})}
	r.state, r.since, r.size, r.log = working, time.Now(), size, &eventLog{}
	r.history = []object{r.own(message)}
	r.status = r.statusOf("")
	return r
}

func (r *record) own(message object) object {
	owned := object{"taskId": r.id, "contextId": r.contextID}
	for name, value := range message {
		if owned[name] == nil {
			owned[name] = value
		}
	}
	return owned
}

// What the handler does.

func (r *record) progress(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.makes(len(text) + 300) {
		r.enter(working, text)
	}
}

func (r *record) write(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if text != "" && r.makes(len(text)) {
		r.unsent.WriteString(text)
		r.notify()
	}
}

func (r *record) addArtifact(artifact object, size int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.makes(size) {
		return
	}
	r.flush(false)
	r.artifacts = append(r.artifacts, artifact)
	r.sendArtifact(artifact, false, true)
}

// ask waits for the person's next message. It returns the context's error when the task ends first.
func (r *record) ask(question string) (object, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.makes(len(question) + 300) {
		return nil, r.ended()
	}
	if r.state == inputRequired {
		return nil, errors.New("the task is already waiting for an answer")
	}
	r.answer = nil
	r.enter(inputRequired, question)
	r.history = append(r.history, r.status["message"].(object))
	for r.answer == nil && !isEnded(r.state) {
		r.wait(nil)
	}
	if r.answer == nil {
		return nil, r.ended()
	}
	return r.answer, nil
}

// finish ends the task. The answer is added to the pieces that were written.
func (r *record) finish(state, text, answer string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if isEnded(r.state) || (answer != "" && !r.makes(len(answer))) {
		return
	}
	r.unsent.WriteString(answer)
	r.flush(answer != "")
	r.end(state, text)
}

// What callers do.

func (r *record) reply(message object, size int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if isEnded(r.state) {
		return unsupportedOperation(fmt.Sprintf("The task is %s: it takes no more messages. Start a new task.", r.state))
	}
	if r.state != inputRequired {
		return unsupportedOperation("The task is working: it takes a message when it asks a question.")
	}
	r.answer = r.own(message)
	r.size += size
	r.history = append(r.history, r.answer)
	r.enter(working, "")
	return nil
}

func (r *record) cancel() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if isEnded(r.state) {
		return taskNotCancelable(r.state)
	}
	r.end(canceled, "")
	return nil
}

// settled waits until the task has ended or asks a question, or the caller is gone.
func (r *record) settled(ctx context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.state == working && ctx.Err() == nil {
		r.wait(ctx.Done())
	}
}

// toJSON returns the task as A2A 1.0 has it, with at most the newest messages (all when history is negative).
func (r *record) toJSON(history int, artifacts bool) object {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.snapshot(history, artifacts)
}

// listed returns the number of the latest change, and the task as of then.
func (r *record) listed(history int, artifacts bool) (int64, object) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.order, r.snapshot(history, artifacts)
}

// How it is done, with the lock held.

func (r *record) ended() error {
	return fmt.Errorf("the task is %s: %w", r.state, context.Canceled)
}

// makes counts what the handler makes. It reports false when the task has ended or the answer became too large.
func (r *record) makes(size int) bool {
	if isEnded(r.state) {
		return false
	}
	r.produced += size
	r.size += size
	if r.produced <= maxAnswer {
		return true
	}
	r.end(failed, fmt.Sprintf("The answer is larger than %d bytes.", maxAnswer))
	return false
}

func (r *record) end(state, text string) {
	r.enter(state, text)
	r.log, r.answer = &eventLog{}, nil
	r.stop()
}

func (r *record) enter(state, text string) {
	r.flush(false)
	if r.state != state {
		r.since = time.Now()
	}
	r.state = state
	r.status = r.statusOf(text)
	r.send(r.statusUpdate())
}

func (r *record) statusUpdate() object {
	update := object{"taskId": r.id, "contextId": r.contextID, "status": r.status}
	if r.metadata != nil {
		update["metadata"] = r.metadata
	}
	return object{"statusUpdate": update}
}

func (r *record) statusOf(text string) object {
	changing.Lock()
	changes++
	r.order = changes
	status := object{"state": wireState(r.state), "timestamp": time.Now().UTC().Format("2006-01-02T15:04:05.000Z")}
	changing.Unlock()
	if text != "" {
		message := object{"messageId": newID(), "role": "ROLE_AGENT", "parts": []object{{"text": text}}}
		status["message"] = r.own(message)
	}
	return status
}

// measure returns the state, and the bytes of all that is kept.
func (r *record) measure() (state string, size int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state, r.size
}

func (r *record) changedAt() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.order
}

// expire fails the task when it takes too long.
func (r *record) expire(options Options) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state == working && time.Since(r.since) > options.TaskTimeout {
		r.end(failed, "The agent took too long.")
	}
	if r.state == inputRequired && time.Since(r.since) > options.QuestionTimeout {
		r.end(failed, "The question was not answered in time.")
	}
}

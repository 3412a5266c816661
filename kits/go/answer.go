package agent

// This file has what a task has produced: its artifacts, and the events that streams send.

// maxEvents are kept for streams. One that falls further behind gets whole artifacts and the status.
const maxEvents = 1000

// eventLog has the latest events of a task; first is the number of the oldest one. It outlives the record for streams
// that still read it.
type eventLog struct {
	first  int
	events []object
}

func (l *eventLog) end() int { return l.first + len(l.events) }

func (l *eventLog) append(event object) {
	l.events = append(l.events, event)
	if len(l.events) > maxEvents {
		l.events = append([]object{}, l.events[maxEvents/2:]...)
		l.first += maxEvents / 2
	}
}

// The methods of the record need its lock.

func (r *record) snapshot(history int, artifacts bool) object {
	r.flush(false)
	task := object{"id": r.id, "contextId": r.contextID, "status": r.status}
	if artifacts && len(r.artifacts) > 0 {
		task["artifacts"] = r.made()
	}
	if history < 0 || history > len(r.history) {
		history = len(r.history)
	}
	if history > 0 {
		task["history"] = append([]object{}, r.history[len(r.history)-history:]...)
	}
	if r.metadata != nil {
		task["metadata"] = r.metadata
	}
	return task
}

// made returns the artifacts so far.
func (r *record) made() []object {
	shown := make([]object, len(r.artifacts))
	for at, artifact := range r.artifacts {
		shown[at] = artifact
		if artifact["artifactId"] == "answer" {
			shown[at] = answerOf(r.pieces.String())
		}
	}
	return shown
}

// catchUp returns the events that bring a stream up to date that has missed some.
func (r *record) catchUp() []object {
	events := []object{}
	for _, artifact := range r.made() {
		update := object{"taskId": r.id, "contextId": r.contextID, "artifact": artifact}
		events = append(events, object{"artifactUpdate": update})
	}
	return append(events, r.statusUpdate())
}

// flush makes one event of the pieces that no stream has sent yet.
func (r *record) flush(last bool) {
	if r.unsent.Len() == 0 {
		return
	}
	text, first := r.unsent.String(), r.pieces.Len() == 0
	r.unsent.Reset()
	r.pieces.WriteString(text)
	if first {
		r.artifacts = append(r.artifacts, answerOf(""))
	}
	r.sendArtifact(answerOf(text), !first, last)
}

func answerOf(text string) object {
	return object{"artifactId": "answer", "parts": []object{{"text": text}}}
}

func (r *record) sendArtifact(artifact object, isMore, isLast bool) {
	update := object{"taskId": r.id, "contextId": r.contextID, "artifact": artifact}
	if isMore {
		update["append"] = true
	}
	if isLast {
		update["lastChunk"] = true
	}
	r.send(object{"artifactUpdate": update})
}

func (r *record) send(event object) {
	r.log.append(event)
	r.notify()
}

func (r *record) notify() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// wait lets go of the lock until the next change, or until done.
func (r *record) wait(done <-chan struct{}) {
	changed := r.changed
	r.mu.Unlock()
	defer r.mu.Lock()
	select {
	case <-changed:
	case <-done:
	}
}

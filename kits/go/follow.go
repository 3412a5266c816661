package agent

import (
	"context"
	"strings"
	"time"
)

// pace is the time between two batches of a stream, heartbeat that between two signs of life while nothing happens.
const (
	pace      = 20 * time.Millisecond
	heartbeat = 15 * time.Second
)

func wireState(state string) string {
	return "TASK_STATE_" + strings.ToUpper(strings.ReplaceAll(state, "-", "_"))
}

func stateOf(wire any) string {
	text, _ := wire.(string)
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(text, "TASK_STATE_")), "_", "-")
}

// follower is a position in the events of a task: a slow reader takes no memory.
type follower struct {
	record *record
	log    *eventLog
	at     int
	isDone bool
	ends   func(state string) bool
}

// follow returns the task, and a follower of its events from now on until ends(state).
func (r *record) follow(ends func(state string) bool) (object, *follower) {
	r.mu.Lock()
	defer r.mu.Unlock()
	task := r.snapshot(-1, true)
	return task, &follower{record: r, log: r.log, at: r.log.end(), isDone: ends(r.state), ends: ends}
}

// next returns the next events: none as a sign of life, and false when the stream has ended or the caller is gone.
func (f *follower) next(ctx context.Context) ([]object, bool) {
	if f.isDone {
		return nil, false
	}
	alive, stop := context.WithTimeout(ctx, heartbeat)
	defer stop()
	f.record.mu.Lock()
	defer f.record.mu.Unlock()
	for f.log.end() == f.at && f.record.unsent.Len() == 0 && alive.Err() == nil {
		f.record.wait(alive.Done())
	}
	f.record.flush(false)
	fresh := f.fresh()
	f.at = f.log.end()
	for at, event := range fresh {
		if update, ok := event["statusUpdate"].(object); ok && f.ends(stateOf(update["status"].(object)["state"])) {
			f.isDone = true
			return fresh[:at+1], true
		}
	}
	return fresh, ctx.Err() == nil
}

func (f *follower) fresh() []object {
	if f.at < f.log.first {
		return f.record.catchUp()
	}
	return f.log.events[f.at-f.log.first:]
}
